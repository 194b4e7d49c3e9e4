import { type Static, Type } from 'typebox';
import { actorOf, type Caller } from '../../accounts/index.ts';
import { type AuditAction, recordAudit } from '../../audit/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { orNull } from '../../platform/http/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { requireReason } from '../../platform/reason.ts';
import { listNotesOfAll, type Note } from '../casework/casework-store.ts';
import { listAttachments } from '../conversation/attachments-store.ts';
import { messageSchema, presentMessage } from '../conversation/messages.ts';
import { listMessages } from '../conversation/messages-store.ts';
import { attachmentSchema, presentAttachment } from '../conversation/read-attachments.ts';
import { listLifeChanges } from '../corrections/life-changes-store.ts';
import { lifeChangeSchema, presentLifeChange } from '../corrections/tell-change.ts';
import { openingSchema, presentOpening } from '../listing/openings.ts';
import { recordAccessBySearch } from '../model/access/looks.ts';
import { insertOpening, listOpenings } from '../model/access/openings-store.ts';
import { requireAnonymousReason } from '../model/access/operator-reason.ts';
import { presentAuthor } from '../model/actors/authors.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { listHistory } from '../model/history-store.ts';
import { withCompactNumber } from '../model/person/identity/nhs-number.ts';
import { type PatientKeys, patientKeys } from '../model/person/identity/patient.ts';
import { personAnswerSchema, sentPageSchema } from '../model/person-page/person-page-schemas.ts';
import { listPersonAnswers, listPersonPages } from '../model/person-page/person-pages-store.ts';
import {
  loadPersonPages,
  presentPersonAnswer,
  presentSentPage,
} from '../model/person-page/present-person-page.ts';
import { presentHistoryLine, presentWhole } from '../model/presentation/present.ts';
import type { Draft, Referral } from '../model/referral.ts';
import { authorSchema, historySchema, moment } from '../model/schemas/referral.ts';
import {
  filterByFirstNameAndBirthDate,
  findReferralsOfOnePerson,
  type PatientDetails,
} from './find-person.ts';
import { findByPersonKeys, listBlocks, type StoredBlock } from './records-store.ts';

/** The records of one person that were packed for a copy, and the keys by which the person is found again. */
export type PackedPerson = { records: ReferralRecord[]; reason: string; keys: PatientKeys };

/**
 * Everything that this room holds about one person, restricted referrals too, for somebody who reviews it before the person gets a copy.
 * The referrers see who packed it and why, as when an operator opens a referral.
 * @throws Problem `unprocessable` for too few details of the person, and for a reason that names them.
 */
export async function packPerson(
  trx: Trx,
  deps: ReferralDeps,
  caller: Caller,
  { person, reason: givenReason, ipAddress }: { person: PatientDetails; reason: string; ipAddress: string },
): Promise<PackedPerson> {
  const at = deps.clock.now();
  const reason = requireReason(givenReason);
  const actor = actorOf(caller, ipAddress);
  const referrals = await findReferralsOfOnePerson(trx, deps, person);
  for (const referral of referrals) requireAnonymousReason(reason, referral.content);
  const ids = referrals.map(({ id }) => id);
  // When nobody was found we cannot check whether the reason names the person, so it is not kept.
  const audited = { referrals: ids, ...(ids.length > 0 && { reason }) };
  await recordAudit(trx, { at, actor, action: 'patient.packed', details: audited });
  await recordAccessBySearch(trx, deps, caller, { person, referrals, at });
  await recordOpeningsByOperator(trx, caller, { ids, reason, at, ipAddress, action: 'referral.packed' });
  const keys = patientKeys(deps.secrets, withCompactNumber(person));
  return { records: await collectRecords(trx, deps, referrals, at), reason, keys };
}

/**
 * The records of a packed person as they are now, to be compared with the packed ones. Records of somebody else with the same number are
 * left out. Nobody is shown these, so nobody is told.
 */
export async function collectRecordsOfPerson(
  trx: Trx,
  deps: ReferralDeps,
  { keys, packed }: { keys: PatientKeys; packed: readonly Pick<ReferralRecord, 'referral'>[] },
): Promise<ReferralRecord[]> {
  const referrals = await findByPersonKeys(trx, keys);
  const ids = new Set(packed.map(({ referral }) => referral.id));
  const people = packed.map(({ referral }) => referral.patient ?? {});
  const ofPerson = referrals.filter(
    (each) =>
      ids.has(each.id) || people.some((person) => filterByFirstNameAndBirthDate(person, [each]).length > 0),
  );
  return collectRecords(trx, deps, ofPerson, deps.clock.now());
}

/** Records that an operator has opened all of these referrals, and why. Their referrers see that. */
export async function recordOpeningsByOperator(
  trx: Trx,
  caller: Caller,
  opened: { ids: readonly string[]; reason: string; at: Date; ipAddress: string; action: AuditAction },
): Promise<void> {
  const { ids, reason, at, action } = opened;
  const by = { accountId: caller.accountId, accountName: caller.name };
  const actor = actorOf(caller, opened.ipAddress);
  for (const id of ids) {
    await insertOpening(trx, { id: newId(at.getTime()), referralId: id, ...by, at, endsAt: at, reason });
    await recordAudit(trx, { at, actor, action, subject: { type: 'referral', id } });
  }
}

async function collectRecords(
  trx: Trx,
  deps: ReferralDeps,
  referrals: readonly (Referral | Draft)[],
  now: Date,
): Promise<ReferralRecord[]> {
  const ids = referrals.map(({ id }) => id);
  const details = {
    now,
    deliveries: await deps.roomsAbove.loadDeliverySummaries(trx, ids),
    personPages: await loadPersonPages(trx, referrals),
  };
  const records: ReferralRecord[] = [];
  for (const referral of referrals) records.push(await collectRecord(trx, referral, details));
  return records;
}

export type ReferralRecord = Omit<Static<typeof referralRecordSchema>, 'referral'> & {
  referral: ReturnType<typeof presentWhole>;
};

/** More than any referral has: a record must be complete. */
const all = { limit: 1_000_000 };

/** Everything that this room holds about a referral, as the person gets it. */
async function collectRecord(
  trx: Trx,
  referral: Referral | Draft,
  details: Parameters<typeof presentWhole>[1],
): Promise<ReferralRecord> {
  const { id } = referral;
  return {
    referral: presentWhole(referral, details),
    history: (await listHistory(trx, id)).map(presentHistoryLine),
    things_have_changed: (await listLifeChanges(trx, id)).reverse().map(presentLifeChange),
    messages: (await listMessages(trx, id, all)).reverse().map(presentMessage),
    private_notes: (await listNotesOfAll(trx, id)).map(presentNote),
    attachments: (await listAttachments(trx, id, all)).reverse().map(presentAttachment),
    openings: (await listOpenings(trx, id, all)).reverse().map(presentOpening),
    restrictions: (await listBlocks(trx, 'restriction', id)).map(presentBlock),
    legal_holds: (await listBlocks(trx, 'hold', id)).map(presentBlock),
    person_pages: ((await listPersonPages(trx, [id])).get(id) ?? []).map(presentSentPage),
    person_answers: ((await listPersonAnswers(trx, [id])).get(id) ?? []).map(presentPersonAnswer),
  };
}

/** What an organisation wrote for itself is about the person, too. */
function presentNote({ id, at, text, ...author }: Note) {
  return { id, at: at.toISOString(), by: presentAuthor(author), text };
}

function presentBlock({ at, byName, reason, liftedAt, liftedByName, liftedReason }: StoredBlock) {
  return {
    at: at.toISOString(),
    by: { name: byName },
    reason,
    lifted:
      liftedAt === null
        ? null
        : { at: liftedAt.toISOString(), by: { name: liftedByName! }, reason: liftedReason! },
  };
}

const operatorSchema = Type.Object({ name: Type.String() });

/** A restriction or a legal hold, with its end. */
const blockSchema = Type.Object({
  at: moment,
  by: operatorSchema,
  reason: Type.String(),
  lifted: orNull(Type.Object({ at: moment, by: operatorSchema, reason: Type.String() })),
});

/** Everything about one referral, for the person it is about. */
export const referralRecordSchema = Type.Object({
  referral: Type.Ref('Referral'),
  history: Type.Array(historySchema),
  things_have_changed: Type.Array(lifeChangeSchema, {
    description: 'What one side told the other of changes.',
  }),
  messages: Type.Array(messageSchema),
  private_notes: Type.Array(
    Type.Object({ id: Type.String(), at: moment, by: authorSchema, text: Type.String() }),
    { description: 'What each organisation wrote for itself.' },
  ),
  attachments: Type.Array(attachmentSchema),
  openings: Type.Array(openingSchema, { description: 'Operators who looked inside, and why.' }),
  restrictions: Type.Array(blockSchema),
  legal_holds: Type.Array(blockSchema, { description: 'When nothing of it was to be erased, and why.' }),
  person_pages: Type.Array(sentPageSchema, { description: 'The links to a page of their own.' }),
  person_answers: Type.Array(personAnswerSchema, { description: 'What the person said on their page.' }),
});
