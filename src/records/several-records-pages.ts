import { requireCaller } from '../accounts/index.ts';
import { type FormErrors, readChoices, readFields } from '../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../platform/http/index.ts';
import { isUuid } from '../platform/ids/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { notFound, Problem, unprocessable } from '../platform/problem/index.ts';
import { requireReason } from '../platform/reason.ts';
import {
  areOfOnePerson,
  eraseReferral,
  type RecordState,
  type ReferralDeps,
  readRecordState,
  restrictReferral,
  statusInWords,
} from '../referrals/index.ts';
import {
  chosenGround,
  enteredValues,
  groundChoices,
  missingNameMessages,
  type RecordForm,
  readRecordForm,
  recordFormErrors,
} from './record-form.ts';

type Deps = ReferralDeps & WebPlatform;
type Action = 'erase' | 'restrict';

/** More than anybody has; a person with more is dealt with in several steps. */
const maxAtOnce = 50;
const template = (name: string) => `records/templates/${name}.njk`;
const run = { erase: eraseReferral, restrict: restrictReferral };

/**
 * Restricts or erases several referrals of one person. The ids are in the address, so that the page can be opened again; they say nothing about
 * the person, and referrals that may be of different people are refused. Each referral is changed in a transaction of its own, as on its own
 * page, so one that is refused does not keep the others.
 */
export function severalRecordsPages(app: App, deps: Deps): void {
  const config = page(signedIn('operator'), { needsRecentSignIn: true });
  for (const action of ['erase', 'restrict'] as const) {
    const path = `/operator/patients/several/${action}`;
    app.get(path, { config, schema: { hide: true, querystring: anyForm } }, async (request, reply) =>
      showForm(deps, request, reply, { action, ...(await readRows(deps, request, action)) }),
    );
    app.post(
      path,
      { config, schema: { hide: true, querystring: anyForm, body: anyForm } },
      async (request, reply) => {
        const { rows, leftOut } = await readRows(deps, request, action);
        const able = rows.filter(({ whyNot }) => whyNot === undefined);
        try {
          const form = readRecordForm(action, request.body);
          requireWhoWasTold(action, able, form);
          // A reason that says nothing, or names the person, is refused before the page that asks.
          requireReason(form.reason);
          const fields = readFields(request.body, ['ask_first', 'shown', 'left_out']);
          requireSame(fields.left_out, leftOutShown(leftOut));
          if (able.length === 0) return showForm(deps, request, reply, { action, rows, leftOut });
          if (action === 'erase' && fields.ask_first === 'yes')
            return askFirstPage(deps, request, reply, { rows, leftOut });
          if (action === 'erase') requireSame(fields.shown, shownOf(able));
          const outcomes = await changeAll(deps, request, { action, able, form });
          const [refusal] = outcomes.flatMap(({ problem }) => problem ?? []);
          const isDone = outcomes.some(({ problem }) => !problem);
          // What the form said is wrong, so that it can be mended and sent again.
          if (refusal?.kind === unprocessable && !isDone) throw refusal;
          return deps.pages.send(request, reply, template('several-done'), {
            action,
            done: undefined,
            changed: outcomes.filter(({ problem }) => !problem).map(({ row }) => row),
            refused: [
              ...outcomes
                .filter(({ problem }) => problem)
                .map(({ row, problem }) => ({ ...row, whyNot: inWords(problem!) })),
              ...rows.filter(({ whyNot }) => whyNot !== undefined),
            ],
            leftOut,
          });
        } catch (error) {
          if (!(error instanceof Problem) || error.kind !== unprocessable) throw error;
          const errors = recordFormErrors(error);
          return showForm(deps, request, reply.code(unprocessable.status), {
            action,
            rows,
            leftOut,
            errors,
          });
        }
      },
    );
  }
}

type Row = Pick<RecordState, 'referral' | 'stillOpen' | 'tellServiceFirst'> & {
  status: ReturnType<typeof statusInWords>;
  /** Why this action is not possible; undefined if it is. */
  whyNot: string | undefined;
};

/** What the address names besides the referrals that the page shows. */
type LeftOut = {
  /** Ids of no referral, such as half of an id. */
  readonly unknown: readonly string[];
  /** How many ids come after the first fifty. */
  readonly tooMany: number;
};

/** The referrals in the address, as each one’s own page reads them: opening it is audited for each. */
async function readRows(
  deps: Deps,
  request: Request,
  action: Action,
): Promise<{ rows: Row[]; leftOut: LeftOut }> {
  const ids = [...new Set(readChoices(request.query, 'id').map((id) => id.toLowerCase()))];
  const records: RecordState[] = [];
  const unknown: string[] = [];
  for (const id of ids.slice(0, maxAtOnce)) {
    const record = isUuid(id) ? await findRecordState(deps, request, id) : undefined;
    if (record) records.push(record);
    else unknown.push(id);
  }
  const isOnePerson = await areOfOnePerson(
    deps.db,
    records.map(({ referral }) => referral.id),
  );
  const rows = records.map((record) => ({
    ...record,
    status: statusInWords(record.referral.status, record.referral.status_reason),
    whyNot: isOnePerson ? whyNot(action, record) : differentPeople,
  }));
  return { rows, leftOut: { unknown, tooMany: Math.max(0, ids.length - maxAtOnce) } };
}

async function findRecordState(deps: Deps, request: Request, id: string): Promise<RecordState | undefined> {
  try {
    return await readRecordState(deps, requireCaller(request), { id, ipAddress: request.ip });
  } catch (error) {
    if (error instanceof Problem && error.kind === notFound) return undefined;
    throw error;
  }
}

const differentPeople =
  'These referrals may be of different people. Open each one, and check who it is about';

function whyNot(action: Action, { referral, isOpen }: RecordState): string | undefined {
  if (referral.erased_at) return 'It was erased already';
  if (referral.restricted)
    return action === 'restrict'
      ? 'It is restricted already'
      : 'It is restricted: lift the restriction on its page first';
  if (action === 'restrict') return undefined;
  if (referral.held) return 'It is on legal hold: nothing erases it until the hold is lifted';
  return isOpen
    ? 'It is open: somebody has still to act on it. It can be erased when it has ended'
    : undefined;
}

/** Some referrals need that somebody was told first; the form then says it once for all of them. @throws Problem `unprocessable`. */
function requireWhoWasTold(action: Action, able: readonly Row[], form: RecordForm): void {
  const isNeeded = able.some((row) => owedOf(action, row).length > 0);
  if (!isNeeded || form.told || form.service_told) return;
  const errors = [{ pointer: '/told_who', message: missingNameMessages[action] }];
  throw new Problem(unprocessable, undefined, { errors });
}

/** What somebody has to deal with before this action, or tell somebody of. */
function owedOf(action: Action, { stillOpen, tellServiceFirst }: Row): readonly string[] {
  return action === 'erase' ? stillOpen : tellServiceFirst;
}

/** What the page before showed of the referrals that can be erased, for its hidden field. */
function shownOf(able: readonly Row[]): string {
  return able
    .map(({ referral, stillOpen }) => [referral.id, referral.version, ...stillOpen].join(' '))
    .join('; ');
}

/** What the page before said about what it leaves out, for its hidden field. */
function leftOutShown({ unknown, tooMany }: LeftOut): string {
  return [...unknown, ...(tooMany > 0 ? [String(tooMany)] : [])].join(' ');
}

/**
 * Nothing is erased that the page before did not show, such as a message that has come since; and nothing is done before somebody could read
 * which referrals it leaves out. @throws Problem `unprocessable`.
 */
function requireSame(shown: string, now: string): void {
  if (shown === now) return;
  const message = 'Something has changed since the page was opened. Read it again, then press again';
  throw new Problem(unprocessable, undefined, { errors: [{ pointer: '/reason', message }] });
}

async function changeAll(
  deps: Deps,
  request: Request,
  { action, able, form }: { action: Action; able: readonly Row[]; form: RecordForm },
): Promise<{ row: Row; problem: Problem | undefined }[]> {
  const outcomes: { row: Row; problem: Problem | undefined }[] = [];
  for (const row of able) {
    const { told: _, service_told: __, ...withoutNotice } = form;
    // Who was told holds for what the page showed. If something comes up in the meantime, the referral stays.
    const said = owedOf(action, row).length > 0 ? form : withoutNotice;
    const change = { ...said, referralId: row.referral.id, ipAddress: request.ip };
    try {
      await run[action](deps, requireCaller(request), change);
      outcomes.push({ row, problem: undefined });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      // A draft of the person is erased together with a referral of the same organisation.
      const isErasedNow = action === 'erase' && error.kind.type === 'referral-erased';
      outcomes.push({ row, problem: isErasedNow ? undefined : error });
    }
  }
  return outcomes;
}

function inWords({ kind, detail, errors = [] }: Problem): string {
  return errors[0] ? `${kind.title}: ${errors[0].message}` : (detail ?? kind.title);
}

function showForm(
  { pages }: Deps,
  request: Request,
  reply: Reply,
  {
    action,
    rows,
    leftOut,
    errors,
  }: { action: Action; rows: readonly Row[]; leftOut: LeftOut; errors?: FormErrors },
): Reply {
  const able = rows.filter((row) => row.whyNot === undefined);
  return pages.send(request, reply, template('several-records'), {
    action,
    able,
    refused: rows.filter((row) => row.whyNot !== undefined),
    owed: able.flatMap((row) => owedOf(action, row).map((words) => `${row.referral.reference}: ${words}`)),
    erasureGrounds: groundChoices,
    values: enteredValues(request.body),
    leftOut,
    leftOutShown: leftOutShown(leftOut),
    errors,
  });
}

/** Asks first, because nothing takes an erasure back. Its form sends the same fields again. */
function askFirstPage(
  { pages }: Deps,
  request: Request,
  reply: Reply,
  { rows, leftOut }: { rows: readonly Row[]; leftOut: LeftOut },
): Reply {
  const values = enteredValues(request.body);
  const able = rows.filter((row) => row.whyNot === undefined);
  return pages.send(request, reply, template('confirm-several'), {
    able,
    refused: rows.filter((row) => row.whyNot !== undefined),
    here: request.url,
    ground: chosenGround(values),
    shown: shownOf(able),
    leftOut,
    leftOutShown: leftOutShown(leftOut),
    values,
  });
}
