import type { MigrationHistory } from '../src/platform/database/index.ts';
import * as baseline from './0001-baseline/index.ts';
import * as feedsAndLockOrder from './0002-feeds-and-lock-order.ts';
import * as plainNames from './0003-plain-names.ts';
import * as safeCare from './0004-safe-care.ts';
import * as daysWithout from './0005-days-without.ts';
import * as watch from './0006-watch.ts';
import * as confidentialServices from './0008-confidential-services.ts';
import * as deaths from './0009-deaths.ts';
import * as scannedFiles from './0010-scanned-files.ts';
import * as promptsAndLeave from './0011-prompts-and-leave.ts';
import * as looks from './0012-looks.ts';
import * as recordsOfPeople from './0013-records-of-people.ts';
import * as lawAndDaysWithout from './0014-law-and-days-without.ts';
import * as openGpActions from './0015-open-gp-actions.ts';
import * as recordCopies from './0016-record-copies.ts';
import * as whoSawWhat from './0017-who-saw-what.ts';
import * as warningsOfDeath from './0018-warnings-of-death.ts';
import * as namedKeys from './0019-named-keys.ts';
import * as troublesAndRequests from './0020-troubles-and-requests.ts';
import * as whomToAsk from './0022-whom-to-ask.ts';
import * as systemAccounts from './0023-system-accounts.ts';
import * as deathsUndone from './0024-deaths-undone.ts';
import * as namesakes from './0025-namesakes.ts';
import * as notifications from './0030-notifications.ts';
import * as siteTextsAndLook from './0031-site-texts-and-look.ts';
import * as pagesOfFiles from './0032-pages-of-files.ts';
import * as watchAgain from './0033-watch-again.ts';
import * as nobodyDrifts from './0034-nobody-drifts.ts';
import * as serviceOffers from './0035-service-offers.ts';
import * as worklists from './0036-worklists.ts';
import * as casework from './0041-casework.ts';
import * as versionTimes from './0043-version-times.ts';
import * as managers from './0044-managers.ts';
import * as reports from './0045-reports.ts';
import * as authorsOrganisations from './0047-authors-organisations.ts';
import * as answerLinks from './0052-answer-links.ts';
import * as savedViews from './0061-saved-views.ts';
import * as importTotals from './0062-import-totals.ts';
import * as worklistsFromIndexes from './0063-worklists-from-indexes.ts';
import * as firstContact from './0064-first-contact.ts';
import * as whoToldOfADeath from './0065-who-told-of-a-death.ts';
import * as hiddenLetters from './0066-hidden-letters.ts';
import * as completeReports from './0067-complete-reports.ts';
import * as sensitiveUntil from './0068-sensitive-until.ts';
import * as personPages from './0070-person-pages.ts';
import * as selfReferrals from './0072-self-referrals.ts';
import * as undoImports from './0073-undo-imports.ts';
import * as scheduledFeeds from './0076-scheduled-feeds.ts';
import * as unmetSearches from './0079-unmet-searches.ts';
import * as unnamedTellers from './0080-unnamed-tellers.ts';
import * as seenByLink from './0081-seen-by-link.ts';
import * as reportMonthCounts from './0085-report-month-counts.ts';
import * as deathsAreNoDeclines from './0086-deaths-are-no-declines.ts';
import * as marksSince from './0088-marks-since.ts';
import * as unreminded from './0089-unreminded.ts';
import * as numberTries from './0090-number-tries.ts';
import * as looksByKey from './0091-looks-by-key.ts';
import * as answerCodes from './0097-answer-codes.ts';
import * as accountClaims from './0098-account-claims.ts';
import * as asksToRing from './0099-asks-to-ring.ts';
import * as assessmentFirst from './0100-assessment-first.ts';
import * as questionnaires from './0101-questionnaires.ts';
import * as bandsOfLowScores from './0102-bands-of-low-scores.ts';
import * as unhelped from './0103-unhelped.ts';
import * as listPromptKinds from './0104-list-prompt-kinds.ts';
import * as commentOnTables from './0105-comment-on-tables.ts';
import * as referralWords from './0106-referral-words.ts';
import * as personToldOfEnd from './0107-person-told-of-end.ts';
import * as kindsOfEmails from './0108-kinds-of-emails.ts';
import * as causeOfRefusals from './0109-cause-of-refusals.ts';
import * as withheldPages from './0110-withheld-pages.ts';
import * as unusualWeeks from './0111-unusual-weeks.ts';
import * as keepReferralsOfCopies from './0116-keep-referrals-of-copies.ts';
import * as keepEditsBeforeImports from './0117-keep-edits-before-imports.ts';
import * as dropWhoSetAvailability from './0118-drop-who-set-availability.ts';
import * as nameWhatCameTwice from './0120-name-what-came-twice.ts';
import * as watchRisk from './0121-watch-risk.ts';
import * as markedByWords from './0124-marked-by-words.ts';
import * as risksToActOn from './0125-risks-to-act-on.ts';
import * as promptForRefusedReferrals from './0126-prompt-for-refused-referrals.ts';
import * as openQuestions from './0133-open-questions.ts';
import * as removedFiles from './0134-removed-files.ts';
import * as finalDeclines from './0136-final-declines.ts';
import * as endCauses from './0142-end-causes.ts';
import * as tellServiceOfRestriction from './0150-tell-service-of-restriction.ts';
import * as scanFilesAgain from './0151-scan-files-again.ts';
import * as answersByLink from './0152-answers-by-link.ts';
import * as copiesAskedBack from './0166-copies-asked-back.ts';
import * as readUnmatchedMessages from './0175-read-unmatched-messages.ts';
import * as askPracticesAgain from './0176-ask-practices-again.ts';
import * as keepFactsOfErased from './0185-keep-facts-of-erased.ts';
import * as nullMinutesOfWaiting from './0186-null-minutes-of-waiting.ts';
import * as siteContacts from './0193-site-contacts.ts';
import * as notTheirPatient from './0198-not-their-patient.ts';
import * as messagesLeftAtExchange from './0199-messages-left-at-exchange.ts';
import * as tellPracticesNews from './0203-tell-practices-news.ts';
import * as askForPractices from './0205-ask-for-practices.ts';
import * as sensitiveInPreviews from './0207-sensitive-in-previews.ts';
import * as renameUnclearColumns from './0230-rename-unclear-columns.ts';
import * as mendComments from './0250-mend-comments.ts';
import * as availabilitySetHere from './0260-availability-set-here.ts';
import * as watchFiles from './0270-watch-files.ts';
import * as endCauseUnanswered from './0280-end-cause-unanswered.ts';
import * as watchWords from './0281-watch-words.ts';
import * as newFiles from './0282-new-files.ts';
import * as textMessages from './0283-text-messages.ts';
import * as deprecatedUses from './0287-deprecated-uses.ts';
import * as eventsOfOneSide from './0288-events-of-one-side.ts';
import * as sayingsAboutRent from './0290-sayings-about-rent.ts';
import * as indexEndingsByLink from './0291-index-endings-by-link.ts';
import * as commentOnWatchIds from './0296-comment-on-watch-ids.ts';
import * as mailsOfLinks from './0300-mails-of-links.ts';
import * as limitTexts from './0301-limit-texts.ts';
import * as commentOnReferrals from './0303-comment-on-referrals.ts';
import * as indexSignIns from './0310-index-sign-ins.ts';
import * as indexFewReferrals from './0311-index-few-referrals.ts';
import * as promptServiceNotTold from './0312-prompt-service-not-told.ts';
import * as unsentForms from './0316-unsent-forms.ts';
import * as namesInPreviews from './0317-names-in-previews.ts';
import * as findUnhelpedByTheirOwnRow from './0320-find-unhelped-by-their-own-row.ts';
import * as dropIndexesNobodyNeeds from './0321-drop-indexes-nobody-needs.ts';
import * as sayWhatColumnsMean from './0322-say-what-columns-mean.ts';
import * as sayingsOfACrisis from './0334-sayings-of-a-crisis.ts';
import * as keepUnsentFormsUntilSent from './0350-keep-unsent-forms-until-sent.ts';
import * as sayWhatMoreColumnsMean from './0360-say-what-more-columns-mean.ts';
import * as sealAddressesOfImports from './0375-seal-addresses-of-imports.ts';
import * as renameTablesOfNews from './0376-rename-tables-of-news.ts';
import * as indexAccountsByOrganisation from './0377-index-accounts-by-organisation.ts';
import * as sayWhatColumnsHold from './0378-say-what-columns-hold.ts';
import * as correctComments from './0391-correct-comments-of-reports-looks-and-mails.ts';
import { beforeBaseline } from './before-baseline/index.ts';

/**
 * Every migration, in order, and how databases from before the baseline get there. Forward only: a later number corrects an earlier
 * one. Numbers are taken when work on a branch begins, so some are missing.
 */
export function migrationHistory(): Pick<MigrationHistory, 'current' | 'earlier'> {
  return {
    current: {
      '0001-baseline': baseline,
      '0002-feeds-and-lock-order': feedsAndLockOrder,
      '0003-plain-names': plainNames,
      '0004-safe-care': safeCare,
      '0005-days-without': daysWithout,
      '0006-watch': watch,
      '0008-confidential-services': confidentialServices,
      '0009-deaths': deaths,
      '0010-scanned-files': scannedFiles,
      '0011-prompts-and-leave': promptsAndLeave,
      '0012-looks': looks,
      '0013-records-of-people': recordsOfPeople,
      '0014-law-and-days-without': lawAndDaysWithout,
      '0015-open-gp-actions': openGpActions,
      '0016-record-copies': recordCopies,
      '0017-who-saw-what': whoSawWhat,
      '0018-warnings-of-death': warningsOfDeath,
      '0019-named-keys': namedKeys,
      '0020-troubles-and-requests': troublesAndRequests,
      '0022-whom-to-ask': whomToAsk,
      '0023-system-accounts': systemAccounts,
      '0024-deaths-undone': deathsUndone,
      '0025-namesakes': namesakes,
      '0030-notifications': notifications,
      '0031-site-texts-and-look': siteTextsAndLook,
      '0032-pages-of-files': pagesOfFiles,
      '0033-watch-again': watchAgain,
      '0034-nobody-drifts': nobodyDrifts,
      '0035-service-offers': serviceOffers,
      '0036-worklists': worklists,
      '0041-casework': casework,
      '0043-version-times': versionTimes,
      '0044-managers': managers,
      '0045-reports': reports,
      '0047-authors-organisations': authorsOrganisations,
      '0052-answer-links': answerLinks,
      '0061-saved-views': savedViews,
      '0062-import-totals': importTotals,
      '0063-worklists-from-indexes': worklistsFromIndexes,
      '0064-first-contact': firstContact,
      '0065-who-told-of-a-death': whoToldOfADeath,
      '0066-hidden-letters': hiddenLetters,
      '0067-complete-reports': completeReports,
      '0068-sensitive-until': sensitiveUntil,
      '0070-person-pages': personPages,
      '0072-self-referrals': selfReferrals,
      '0073-undo-imports': undoImports,
      '0076-scheduled-feeds': scheduledFeeds,
      '0079-unmet-searches': unmetSearches,
      '0080-unnamed-tellers': unnamedTellers,
      '0081-seen-by-link': seenByLink,
      '0085-report-month-counts': reportMonthCounts,
      '0086-deaths-are-no-declines': deathsAreNoDeclines,
      '0088-marks-since': marksSince,
      '0089-unreminded': unreminded,
      '0090-number-tries': numberTries,
      '0091-looks-by-key': looksByKey,
      '0097-answer-codes': answerCodes,
      '0098-account-claims': accountClaims,
      '0099-asks-to-ring': asksToRing,
      '0100-assessment-first': assessmentFirst,
      '0101-questionnaires': questionnaires,
      '0102-bands-of-low-scores': bandsOfLowScores,
      '0103-unhelped': unhelped,
      '0104-list-prompt-kinds': listPromptKinds,
      '0105-comment-on-tables': commentOnTables,
      '0106-referral-words': referralWords,
      '0107-person-told-of-end': personToldOfEnd,
      '0108-kinds-of-emails': kindsOfEmails,
      '0109-cause-of-refusals': causeOfRefusals,
      '0110-withheld-pages': withheldPages,
      '0111-unusual-weeks': unusualWeeks,
      '0116-keep-referrals-of-copies': keepReferralsOfCopies,
      '0117-keep-edits-before-imports': keepEditsBeforeImports,
      '0118-drop-who-set-availability': dropWhoSetAvailability,
      '0120-name-what-came-twice': nameWhatCameTwice,
      '0121-watch-risk': watchRisk,
      '0124-marked-by-words': markedByWords,
      '0125-risks-to-act-on': risksToActOn,
      '0126-prompt-for-refused-referrals': promptForRefusedReferrals,
      '0133-open-questions': openQuestions,
      '0134-removed-files': removedFiles,
      '0136-final-declines': finalDeclines,
      '0142-end-causes': endCauses,
      '0150-tell-service-of-restriction': tellServiceOfRestriction,
      '0151-scan-files-again': scanFilesAgain,
      '0152-answers-by-link': answersByLink,
      '0166-copies-asked-back': copiesAskedBack,
      '0175-read-unmatched-messages': readUnmatchedMessages,
      '0176-ask-practices-again': askPracticesAgain,
      '0185-keep-facts-of-erased': keepFactsOfErased,
      '0186-null-minutes-of-waiting': nullMinutesOfWaiting,
      '0193-site-contacts': siteContacts,
      '0198-not-their-patient': notTheirPatient,
      '0199-messages-left-at-exchange': messagesLeftAtExchange,
      '0203-tell-practices-news': tellPracticesNews,
      '0205-ask-for-practices': askForPractices,
      '0207-sensitive-in-previews': sensitiveInPreviews,
      '0230-rename-unclear-columns': renameUnclearColumns,
      '0250-mend-comments': mendComments,
      '0260-availability-set-here': availabilitySetHere,
      '0270-watch-files': watchFiles,
      '0280-end-cause-unanswered': endCauseUnanswered,
      '0281-watch-words': watchWords,
      '0282-new-files': newFiles,
      '0283-text-messages': textMessages,
      '0287-deprecated-uses': deprecatedUses,
      '0288-events-of-one-side': eventsOfOneSide,
      '0290-sayings-about-rent': sayingsAboutRent,
      '0291-index-endings-by-link': indexEndingsByLink,
      '0296-comment-on-watch-ids': commentOnWatchIds,
      '0300-mails-of-links': mailsOfLinks,
      '0301-limit-texts': limitTexts,
      '0303-comment-on-referrals': commentOnReferrals,
      '0310-index-sign-ins': indexSignIns,
      '0311-index-few-referrals': indexFewReferrals,
      '0312-prompt-service-not-told': promptServiceNotTold,
      '0316-unsent-forms': unsentForms,
      '0317-names-in-previews': namesInPreviews,
      '0320-find-unhelped-by-their-own-row': findUnhelpedByTheirOwnRow,
      '0321-drop-indexes-nobody-needs': dropIndexesNobodyNeeds,
      '0322-say-what-columns-mean': sayWhatColumnsMean,
      '0334-sayings-of-a-crisis': sayingsOfACrisis,
      '0350-keep-unsent-forms-until-sent': keepUnsentFormsUntilSent,
      '0360-say-what-more-columns-mean': sayWhatMoreColumnsMean,
      '0375-seal-addresses-of-imports': sealAddressesOfImports,
      '0376-rename-tables-of-news': renameTablesOfNews,
      '0377-index-accounts-by-organisation': indexAccountsByOrganisation,
      '0378-say-what-columns-hold': sayWhatColumnsHold,
      '0391-correct-comments-of-reports-looks-and-mails': correctComments,
    },
    earlier: beforeBaseline,
  };
}
