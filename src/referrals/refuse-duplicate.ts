import type { Caller } from '../accounts/index.ts';
import type { Trx } from '../platform/database/index.ts';
import { done, refused, type Settled } from '../platform/in-batches.ts';
import { Problem } from '../platform/problem/index.ts';
import { maySee } from './access.ts';
import { findOpenReferrals, lockPatientsForServices } from './duplicates-store.ts';
import { isDraft, type NewDraft, type NewReferral } from './new-referral-schema.ts';
import type { PatientKeys } from './patient.ts';
import { possibleDuplicate } from './problems.ts';
import { openStatuses, type Referral } from './referral.ts';

/** The refusal for an open referral that the caller may not see: of it nothing is told but that there is one. */
export class DuplicateOfOthers extends Problem {
  readonly referralId: string;
  constructor(referralId: string) {
    super(possibleDuplicate, `Another organisation made it: ask the service, or ${ifMeant}`);
    this.referralId = referralId;
  }
}

const ifMeant = 'send allow_duplicate: true if a second one is meant.';

type Wanted = { asked: { caller: Caller; input: NewReferral | NewDraft }; keys: PatientKeys };

/**
 * Refuses those whose person has an open referral to the service, and lets nobody else make one until the transaction
 * ends. A person may have several drafts.
 */
export async function refuseDuplicates<Each extends Wanted>(
  trx: Trx,
  wanted: readonly Each[],
): Promise<Settled<Each>[]> {
  const sent = wanted.flatMap(({ asked: { input }, keys }) =>
    isDraft(input) ? [] : [{ ...keys, serviceId: input.service_id, input }],
  );
  if (sent.length > 0) await lockPatientsForServices(trx, sent);
  const looked = sent.filter(({ input }) => !input.allow_duplicate);
  const open = looked.length > 0 ? await findOpenReferrals(trx, looked, openStatuses) : [];
  return wanted.map((each) => {
    const { caller, input } = each.asked;
    if (isDraft(input) || input.allow_duplicate) return done(each);
    const found = open
      .filter(
        ({ referral, keys }) => referral.service_id === input.service_id && isSamePerson(keys, each.keys),
      )
      .map(({ referral }) => referral);
    return found.length > 0 ? refused(refusal(caller, found)) : done(each);
  });
}

function isSamePerson(one: PatientKeys, other: PatientKeys): boolean {
  const same = (a: Buffer | null, b: Buffer | null) => a !== null && b !== null && a.equals(b);
  return same(one.name, other.name) || same(one.number, other.number);
}

/** Names the open referral only to somebody who may see it: that it exists tells others where the person goes. */
function refusal(caller: Caller, open: readonly Referral[]): Problem {
  const yours = open.find((each) => maySee(caller, each));
  if (!yours) return new DuplicateOfOthers(open[0]!.id);
  return new Problem(possibleDuplicate, `Follow that one, or ${ifMeant}`, {
    extra: { reference: yours.reference, referral_id: yours.id },
  });
}
