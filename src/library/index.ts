export { listAddressChanges } from './channels/address-history.ts';
export {
  codeEmail,
  codeTelephone,
  type DeliveryAddress,
  findDeliveryAddress,
  listUnconfirmedChannels,
  lockReceiver,
} from './channels/addresses-store.ts';
export { byChannel, channelInWords, sentByChannel } from './channels/channel-words.ts';
export { confirmAddressPages } from './channels/confirm-address.ts';
export { type DeliveryMode, deliveryModeOfSettingsSql } from './channels/delivery-mode-store.ts';
export {
  isUnattended,
  listAcceptingUnattended,
  listOpenToReferrals,
  listUnattendedServices,
  whyNoReferral,
} from './channels/open-to-referrals.ts';
export {
  everSensitiveServiceIdsSql,
  findReferralMarks,
  isConfidentialReferralSql,
  isSensitiveOrganization,
  isSensitiveReferralSql,
  listSensitiveServiceNames,
  openReferralStatuses,
  type ReferralMarks,
  type SensitiveName,
  sensitiveNamesFor,
  wasEverSensitiveSql,
  wasSentBeforeSensitiveSql,
} from './channels/referral-marks-store.ts';
export {
  type AddressChannel,
  addressInUse,
  replaceBrokenAddress,
} from './channels/replace-broken-address.ts';
export {
  type Eligibility,
  findReferralSettings,
  findServiceForReferral,
  findServicesForReferral,
  listConfidentialServices,
  listSensitiveServices,
  listServicesOfOrganization,
  type ServiceForReferral,
  saveReferralSettings,
  yearsKept,
} from './channels/settings-store.ts';
export { listTermsToSearchAgain } from './channels/terms-to-search-again-store.ts';
export { findEditDates } from './edit/edit-service-store.ts';
export { editingPages } from './edit/pages/index.ts';
export { countServicesDueForCheck, firstOwnServices } from './edit/pages/maintained-pages.ts';
export { manageView, savedBanner } from './edit/pages/manage-view.ts';
export { confirmSensitive, denySensitive } from './edit/state/confirm-sensitive.ts';
export { listServiceChanges } from './edit/state/history-store.ts';
export { coversPostcode, type PostcodeText, readServedPostcodes } from './filter/area-words.ts';
export {
  type Feature,
  featureNames,
  features,
  offersOf,
  remoteWays,
  type Way,
  wayNames,
  ways,
} from './filter/offers.ts';
export { buildMissingFilterRows, rebuildFilterRows } from './filter/rebuild-filter-rows.ts';
export { clockTime, minuteOf } from './hours/clock-time.ts';
export type { WantedTimes } from './hours/next-opening.ts';
export { type OtherHours, occursOn } from './hours/other-hours.ts';
export { dayCodes, dayNames, minutesPerDay, type Range, weekRanges } from './hours/week.ts';
export { etagOf, jsonContentType, sendWithEtag } from './hsds/etag.ts';
export { acceptSingleValues, readLenientBodyHook, readLenientQuery } from './hsds/lenient-input.ts';
export {
  findOrganisationForAccount,
  listSimilarOrganizations,
  type OrganizationDetail,
  organizationColumnsSql,
  organizationContent,
} from './hsds/organizations-store.ts';
export { addListRoutes, listResponses, readOptions, resources, tags } from './hsds/resource.ts';
export {
  crisisHelpField,
  facetsField,
  fullServiceParameter,
  placePageField as placeField,
} from './hsds/schemas.ts';
export type { AtLocationDetail } from './hsds/service-at-locations-store.ts';
export { findServicesAtLocations } from './hsds/service-at-locations-store.ts';
export {
  availabilityJsonSql,
  documentText,
  findAreaCoverage,
  findServiceDocument,
  findServiceDocuments,
  hasServices,
  listServicesCovering,
  responsivenessJsonSql,
  type StoredDocument,
  summaryDocument,
} from './hsds/services-store.ts';
export { listUsedTerms } from './hsds/taxonomies-store.ts';
export { type Availability, availabilities, availabilityNames } from './model/availability.ts';
export { type Author, type Change, creationOf, updateOf } from './model/change.ts';
export { channelNames, practiceChannelNames } from './model/channels.ts';
export { crisisHelpFor, crisisIn, mentionsCrisis } from './model/crisis.ts';
export { defaultCrisisDeeds, ownLifePhrases } from './model/crisis-phrases.ts';
export { type Need, needs } from './model/needs.ts';
export { organization, taxonomy, taxonomyTerm } from './model/parts.ts';
export { looksSensitive } from './model/sensitive-words.ts';
export { maxAge, type Service, serviceSchema } from './model/service.ts';
export { withScheme } from './model/web-address.ts';
export { dangerWords, foldText, isSearchWord, typedWords, wordsOf } from './model/words.ts';
export { removeInvalidValues } from './model/wrong-values.ts';
export {
  chordLength,
  type EarthPoint,
  metresPerMile,
  radians,
  surfaceMetres,
  toEarthPoint,
} from './postcodes/earth.ts';
export { isKnownPostcode, locate, locatePlace, type SearchedPlace } from './postcodes/locate.ts';
export {
  compactPostcode,
  type Postcode,
  readDistrict,
  readPostcode,
  readPostcodeText,
} from './postcodes/postcode.ts';
export {
  comparePostcodes,
  type Decile,
  type DistrictCell,
  findDistrictCells,
  findExampleDistrict,
  type Point,
  type PostcodePlace,
  saveDeciles,
  savePostcodes,
} from './postcodes/postcodes-store.ts';
export { postcodeRoutes } from './postcodes/routes.ts';
export { hasClosed } from './practices/has-closed.ts';
export { practicePages } from './practices/pages.ts';
export {
  type Closing,
  findPractice,
  findPractices,
  type KnownPractice,
  type ListSize,
  type Practice,
  saveListSizes,
  savePractices,
} from './practices/practices-store.ts';
export { practiceRoutes } from './practices/routes.ts';
export { saveClosings } from './practices/save-closings.ts';
export { searchPractices } from './practices/search-practices.ts';
export type { FoundPractice } from './practices/search-store.ts';
export { libraryRoutes } from './routes.ts';
export { savedListPages } from './saved-lists/pages/index.ts';
export { savedListRoutes } from './saved-lists/routes.ts';
export { type ComparedFacts, compareView } from './view/compare-view.ts';
export { phoneViews, referralFormPath, savePath, servicePath } from './view/links.ts';
export { mainAddress, pointOf } from './view/places.ts';
export { areaView, type ListedService, resultView } from './view/result-view.ts';
export { groupByTaxonomy, serviceView } from './view/service-view.ts';
export { agesInWords, countInWords } from './view/words.ts';
export {
  availabilityInHistory,
  findOutdatedAvailability,
  saveReportedAvailability,
} from './write/availability-store.ts';
export {
  countBeforeImport,
  deleteOldSnapshots,
  forgetBeforeImport,
  keepBeforeImport,
  listBeforeImport,
  listNamesOfImport,
  undoableForMs,
} from './write/before-import-store.ts';
export { recordChanges } from './write/changes-store.ts';
export { cleanRecord, withRealReason } from './write/clean-record.ts';
export { cleanTimes, type UnusualTime } from './write/clean-times.ts';
export { countMarkedByWords, countMarkedWithPlace, listMarkedByWords } from './write/mark-sensitive-store.ts';
export { saveOrganizations, saveTaxonomies, saveWholeTaxonomies } from './write/parts-store.ts';
export { type Responsiveness, replaceResponsiveness } from './write/responsiveness-store.ts';
export { saveServices } from './write/save-services.ts';
export {
  type ComparableService,
  comparableService,
  isFarInFuture,
  type ServiceRow,
  searchWordsOf,
  serviceRow,
  taxonomiesOf,
  termsOf,
  withDescription,
} from './write/service-row.ts';
export {
  clearSourceHashes,
  lockForEdit,
  lockForImport,
  lockServices,
  saveSearchWords,
  updateStatistics,
} from './write/services-store.ts';
