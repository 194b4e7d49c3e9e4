import { type Caller, requireCaller } from '../../../accounts/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { timeInWords } from '../../../platform/html/index.ts';
import type { Reply, Request } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { Problem, versionStale } from '../../../platform/problem/index.ts';
import { findKeptAnswers, idempotencyLockName } from '../../model/idempotency/idempotency-store.ts';
import { cannotRefer, idempotencyKeyReused } from '../../model/problems.ts';
import type { DraftInput } from '../../model/schemas/new-referral.ts';
import type { Submission } from '../../submit/checks/submissions.ts';
import { changeDraft } from '../../submit/drafts.ts';
import type { SubmitDeps } from '../../submit/submit-referral.ts';
import { type ReferralField, referralFields } from '../referral-fields.ts';
import type { PracticeChoice } from './choose-practice.ts';
import {
  asksAboutCrisis,
  type FormWithPractice,
  fieldsNotKept,
  problemInWords,
  readDraftForm,
} from './form-page.ts';
import {
  emptyReferralForm,
  explainReferralErrors,
  formOf,
  keepHiddenFields,
  type ReferralForm,
} from './referral-form.ts';

type Deps = SubmitDeps & WebPlatform;

/** The answer to the form’s script. */
type Answer = {
  action: string;
  version: number;
  saved: string;
  leftOut: string[];
  /** Whether the text has words of a crisis, and the form does not say that somebody is at risk. */
  crisis: boolean;
};

/**
 * Saves a form that nobody has sent yet as a draft. A form has one draft, also when the answer to the first save was lost: the key is
 * used again, and the draft that has it is changed, if nobody else has changed it.
 */
export async function autosaveNewForm(
  deps: Deps,
  request: Request,
  reply: Reply,
  { key, replaced, ...typed }: FormWithPractice & { key: string; replaced: DraftInput | undefined },
): Promise<Reply> {
  if (!saysSomethingOfPerson(typed.form, replaced && formOf(replaced))) return reply.code(204).send();
  return answerSave(deps, reply, typed, async (read) => {
    const caller = requireCaller(request);
    const input = replaced ? keepHiddenFields(read, replaced) : read;
    const idempotencyKey = keyOfDraft(key);
    try {
      const { referral } = await deps.referralIntake.submit({
        caller,
        input: { ...input, status: 'draft' } as Submission['input'],
        ipAddress: request.ip,
        idempotencyKey,
      });
      return referral;
    } catch (error) {
      if (!(error instanceof Problem) || error.kind !== idempotencyKeyReused) throw error;
      const first = await findSavedDraft(deps, caller, key);
      if (!first) throw error;
      const expected = { referralId: first.id, version: first.version, ipAddress: request.ip };
      return changeDraft(deps, caller, { ...expected, input });
    }
  });
}

export const keyOfDraft = (key: string) => `${key} draft`;

/** What somebody types about a person. The postcode may come from a search, and a chosen answer names nobody. */
const aboutThePerson = [
  'given_name',
  'family_name',
  'nhs_number',
  'birth_day',
  'birth_month',
  'birth_year',
  'address_line_1',
  'telephone',
  'email',
  'reasons',
  'what_matters',
  'safety_notes',
  'support_offered',
] as const satisfies readonly ReferralField[];

/**
 * Whether a form is worth a draft. A draft with no word about the person would only clutter the list, and so would one with only the words
 * that were filled in from the referral that it replaces. @param filledIn those words
 */
export function saysSomethingOfPerson(
  form: ReferralForm,
  filledIn: ReferralForm = emptyReferralForm,
): boolean {
  const words = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
  return aboutThePerson.some((name) => words(form[name]) !== words(filledIn[name]));
}

export function nothingTypedProblem(): Problem {
  const errors = [{ pointer: '/patient/given_name', message: 'is required', code: 'nothing-typed' }];
  return new Problem(cannotRefer, undefined, { errors });
}

export type SavedDraft = { id: string; version: number; requestHash: Buffer };

/** The draft that a new form has saved by itself, as it was then. The form does not know of it where the answer was lost. */
export async function findSavedDraft(
  deps: Deps,
  { accountId }: Caller,
  key: string,
): Promise<SavedDraft | undefined> {
  const named = { accountId, key: keyOfDraft(key) };
  const storedAnswers = await inTransaction(deps.db, (trx) => findKeptAnswers(trx, [named]));
  const first = storedAnswers.get(idempotencyLockName(named));
  if (!first) return undefined;
  return { ...(first.answer as { id: string; version: number }), requestHash: first.requestHash };
}

/** Saves a draft while it is filled in, unless somebody else has saved it meanwhile. */
export function autosaveDraft(
  deps: Deps,
  request: Request,
  reply: Reply,
  { referralId, version, ...typed }: FormWithPractice & { referralId: string; version: number },
): Promise<Reply> {
  return answerSave(deps, reply, typed, (read) =>
    changeDraft(deps, requireCaller(request), {
      referralId,
      version,
      ipAddress: request.ip,
      input: (stored) => keepHiddenFields(read, stored),
    }),
  );
}

async function answerSave(
  deps: Deps,
  reply: Reply,
  typed: FormWithPractice,
  save: (input: DraftInput) => Promise<{ id: string; version: number }>,
): Promise<Reply> {
  try {
    const { input, leftOut } = keepValidFields(deps, typed);
    const { id, version } = await save(input);
    const saved = timeInWords(deps.clock.now());
    const crisis = asksAboutCrisis(deps.settings, typed.form, input);
    return reply.send({ action: `/referrals/${id}/edit`, version, saved, leftOut, crisis } satisfies Answer);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { status } = error.kind;
    const isOver = error.kind === versionStale || status === 404 || status === 409;
    return reply.code(status).send({ problem: problemInWords(error, typed.form), isOver });
  }
}

/** The fields that can be stored, and the names of those that cannot yet: half a telephone number is no reason to save nothing. */
export function keepValidFields(
  deps: Deps,
  typed: FormWithPractice,
): { input: DraftInput; leftOut: string[] } {
  const leftOut = new Set(fieldsNotKept(typed.form));
  let current = typed;
  // Each round leaves out at least one more field, until the rest can be stored.
  while (true) {
    try {
      const input = readDraftForm(deps, current);
      return { input, leftOut: [...new Set([...leftOut].map((name) => referralFields[name].label))] };
    } catch (error) {
      if (!(error instanceof Problem) || !error.errors) throw error;
      const wrong = Object.keys(explainReferralErrors(error.errors, current.form).fields) as ReferralField[];
      const newlyWrong = wrong.filter((name) => !leftOut.has(name));
      if (newlyWrong.length === 0) throw error;
      for (const name of newlyWrong) leftOut.add(name);
      current = withoutFields(current, newlyWrong);
    }
  }
}

const noPractice: PracticeChoice = { code: '', offered: [], more: false };

function withoutFields(
  { form, practice, ...rest }: FormWithPractice,
  names: readonly ReferralField[],
): FormWithPractice {
  // The parts of a date are wrong together.
  const blank = names.flatMap((name) =>
    name.endsWith('_day') ? [name, name.replace('_day', '_month'), name.replace('_day', '_year')] : [name],
  );
  const isPracticeWrong = names.includes('gp_ods_code') || names.includes('gp_choice');
  return {
    ...rest,
    form: { ...form, ...Object.fromEntries(blank.map((name) => [name, ''])) },
    practice: isPracticeWrong ? noPractice : practice,
  };
}
