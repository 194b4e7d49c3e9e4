export { type Capacity, capacities, capacityNames } from './capacity.ts';
export {
  type DeliveryAddress,
  findDeliveryAddress,
  listUnconfirmedChannels,
} from './channels/addresses-store.ts';
export { confirmAddressPages } from './channels/confirm-address.ts';
export { type Reach, reachOfSettings } from './channels/reach-store.ts';
export { isUnanswered, listOpenToReferrals, listUnansweredServices } from './channels/unanswered.ts';
export { listServiceChanges } from './edit/history-store.ts';
export { editingPages } from './edit/pages/index.ts';
export { entryDone, manageView } from './edit/pages/manage-view.ts';
export { findEditDates } from './edit/store.ts';
export { examplePages } from './examples.ts';
export { deriveFilterRows } from './filter/derive-filter-rows.ts';
export { type CalendarDay, dayBefore, localTime } from './hours/calendar-day.ts';
export { minuteOf } from './hours/clock-time.ts';
export type { WantedTimes } from './hours/next-opening.ts';
export { isOn, type OtherHours } from './hours/other-hours.ts';
export { dayCodes, dayNames, minutesADay, type Range, rangesOf } from './hours/week.ts';
export { tidiedBody, tidyQuery, withSingles } from './lenient-input.ts';
export { listPages } from './lists/pages/index.ts';
export { listRoutes } from './lists/routes.ts';
export { type Author, type Change, creation, update } from './model/change.ts';
export { channelNames, practiceChannelNames } from './model/channels.ts';
export { organization, organizationScalars, taxonomy, taxonomyTerm } from './model/parts.ts';
export { type Service, serviceSchema } from './model/service.ts';
export { withScheme } from './model/web-address.ts';
export { removeInvalidValues } from './model/wrong-values.ts';
export { findOrganisation } from './organizations/find-organisation.ts';
export {
  listSimilarOrganizations,
  type OrganizationForm,
  organizationColumns,
  organizationContent,
} from './organizations/store.ts';
export { chordOf, metresOf, type Spot, spotOf } from './postcodes/earth.ts';
export { findDistrict, locate, locatePlace, type SearchedPlace } from './postcodes/locate.ts';
export { type Postcode, readDistrict, readPostcode } from './postcodes/postcode.ts';
export { postcodeRoutes } from './postcodes/routes.ts';
export { comparePostcodes, type Point, type PostcodePlace, savePostcodes } from './postcodes/store.ts';
export { practicePages } from './practices/pages.ts';
export { practiceRoutes } from './practices/routes.ts';
export { searchPractices } from './practices/search-practices.ts';
export type { FoundPractice } from './practices/search-store.ts';
export {
  findPractice,
  findPractices,
  type KnownPractice,
  type Practice,
  savePractices,
} from './practices/store.ts';
export { type Responsiveness, replaceResponsiveness } from './responsiveness/store.ts';
export { listAnswers, reading, refuseTokenInAddress, tags, tidied } from './route-parts.ts';
export { libraryRoutes } from './routes.ts';
export { facetsMember, pageSchema, placeMember } from './schemas.ts';
export { json, sendTagged, tagOf } from './send-answer.ts';
export type { AtLocationForm } from './service-at-locations/at-location.ts';
export { findAtLocations } from './service-at-locations/store.ts';
export {
  capacityOf,
  documentText,
  findServiceDocument,
  findServiceDocuments,
  findWhoServes,
  fullDocument,
  responsivenessOf,
  type StoredDocument,
} from './services/document-store.ts';
export {
  findServiceForReferral,
  findServicesForReferral,
  hasServices,
  listUsedTerms,
  type ServiceForReferral,
} from './services/store.ts';
export { metresAMile, radians } from './view/distance.ts';
export { servicePath } from './view/links.ts';
export { mainAddress, pointOf } from './view/places.ts';
export { type ListedService, referralPath, resultView, savePath } from './view/result-view.ts';
export { serviceView, whyNoReferral } from './view/service-view.ts';
export { termGroups } from './view/term-groups.ts';
export { countInWords } from './view/words.ts';
export { nearMisses, type SimilarWord } from './words/near-misses.ts';
export { saveSearchWords } from './words/store.ts';
export { isCorrectable, plain, typedWords, wordsOf } from './words/words.ts';
export { capacityInHistory, findOutdatedCapacities, saveReportedCapacities } from './write/capacity-store.ts';
export { recordChanges } from './write/changes-store.ts';
export { cleanRecord, pointerTo } from './write/clean-record.ts';
export { cleanTimes, type UnusualTime } from './write/clean-times.ts';
export { saveOrganizations, saveTaxonomies, saveWholeTaxonomies } from './write/parts-store.ts';
export {
  type ComparableService,
  comparableService,
  isInFuture,
  type ServiceRow,
  searchWordsOf,
  serviceRow,
  taxonomiesOf,
  termsOf,
  withDescription,
} from './write/service-row.ts';
export { lockForImport, saveServices, updateStatistics } from './write/services-store.ts';
