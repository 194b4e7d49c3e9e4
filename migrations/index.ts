import type { Migrations } from '../src/platform/database/index.ts';
import * as audit from './0001-audit.ts';
import * as accounts from './0002-accounts.ts';
import * as tokens from './0003-tokens.ts';
import * as library from './0004-library.ts';
import * as referrals from './0005-referrals.ts';
import * as delivery from './0006-delivery.ts';
import * as auditChain from './0007-audit-chain.ts';
import * as mailAndLinks from './0008-mail-and-links.ts';
import * as secondFactors from './0009-second-factors.ts';
import * as identities from './0010-identities.ts';
import * as returnAddresses from './0011-return-addresses.ts';
import * as keyGuards from './0012-key-guards.ts';
import * as hsdsReading from './0013-hsds-reading.ts';
import * as postcodes from './0014-postcodes.ts';
import * as serviceFilters from './0015-service-filters.ts';
import * as searchQuality from './0016-search-quality.ts';
import * as librarySources from './0017-library-sources.ts';
import * as serviceEditing from './0018-service-editing.ts';
import * as referralStates from './0019-referral-states.ts';
import * as events from './0020-events.ts';
import * as deliveryChannels from './0021-delivery-channels.ts';
import * as savedLists from './0022-saved-lists.ts';
import * as patientRecords from './0023-patient-records.ts';
import * as meshMessages from './0024-mesh-messages.ts';
import * as simulator from './0025-simulator.ts';
import * as catalogue from './0026-catalogue.ts';
import * as wordsInMemory from './0027-words-in-memory.ts';
import * as libraryNews from './0028-library-news.ts';
import * as unusedIndexes from './0029-unused-indexes.ts';
import * as drawnLetters from './0030-drawn-letters.ts';
import * as fewerIndexes from './0031-fewer-indexes.ts';
import * as lighterImports from './0032-lighter-imports.ts';
import * as eventOfAStart from './0033-event-of-a-start.ts';
import * as seenTo from './0034-seen-to.ts';
import * as looseEnds from './0035-loose-ends.ts';
import * as copiedParts from './0036-copied-parts.ts';
import * as stoppedImports from './0037-stopped-imports.ts';
import * as timesReadAnew from './0038-times-read-anew.ts';
import * as heldDeliveries from './0039-held-deliveries.ts';
import * as leftOut from './0040-left-out.ts';
import * as confirmedAddresses from './0041-confirmed-addresses.ts';
import * as signedAudit from './0042-signed-audit.ts';
import * as requiredFactors from './0043-required-factors.ts';
import * as lengthOfMeshMessages from './0044-length-of-mesh-messages.ts';
import * as orderOfWays from './0045-order-of-ways.ts';
import * as jobTurns from './0046-job-turns.ts';

/** Every migration, in order. Forward only: a mistake is mended by the next number. */
export const migrations: Migrations = {
  '0001-audit': audit,
  '0002-accounts': accounts,
  '0003-tokens': tokens,
  '0004-library': library,
  '0005-referrals': referrals,
  '0006-delivery': delivery,
  '0007-audit-chain': auditChain,
  '0008-mail-and-links': mailAndLinks,
  '0009-second-factors': secondFactors,
  '0010-identities': identities,
  '0011-return-addresses': returnAddresses,
  '0012-key-guards': keyGuards,
  '0013-hsds-reading': hsdsReading,
  '0014-postcodes': postcodes,
  '0015-service-filters': serviceFilters,
  '0016-search-quality': searchQuality,
  '0017-library-sources': librarySources,
  '0018-service-editing': serviceEditing,
  '0019-referral-states': referralStates,
  '0020-events': events,
  '0021-delivery-channels': deliveryChannels,
  '0022-saved-lists': savedLists,
  '0023-patient-records': patientRecords,
  '0024-mesh-messages': meshMessages,
  '0025-simulator': simulator,
  '0026-catalogue': catalogue,
  '0027-words-in-memory': wordsInMemory,
  '0028-library-news': libraryNews,
  '0029-unused-indexes': unusedIndexes,
  '0030-drawn-letters': drawnLetters,
  '0031-fewer-indexes': fewerIndexes,
  '0032-lighter-imports': lighterImports,
  '0033-event-of-a-start': eventOfAStart,
  '0034-seen-to': seenTo,
  '0035-loose-ends': looseEnds,
  '0036-copied-parts': copiedParts,
  '0037-stopped-imports': stoppedImports,
  '0038-times-read-anew': timesReadAnew,
  '0039-held-deliveries': heldDeliveries,
  '0040-left-out': leftOut,
  '0041-confirmed-addresses': confirmedAddresses,
  '0042-signed-audit': signedAudit,
  '0043-required-factors': requiredFactors,
  '0044-length-of-mesh-messages': lengthOfMeshMessages,
  '0045-order-of-ways': orderOfWays,
  '0046-job-turns': jobTurns,
};
