import { Type } from 'typebox';
import { type ActionOn, actionOn, requireCaller } from '../accounts/index.ts';
import { findExampleDistrict, findServiceForReferral, isKnownPostcode } from '../library/index.ts';
import {
  type FormErrors,
  readFields,
  readUntrimmedFields,
  successBanner,
  toFormErrors,
  trimToUndefined,
} from '../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { Problem, requireRefusal, unprocessable } from '../platform/problem/index.ts';
import type { SubmitDeps } from '../referrals/index.ts';
import { findDesk } from './desk-store.ts';
import {
  type CloseReason,
  callsBeforeGivingUp,
  closeReasons,
  countAttempts,
  deskState,
  isOwnerOrDeputy,
  ringDayInWords,
  type SelfReferral,
  wasSpokenTo,
} from './model.ts';
import {
  type Closing,
  closeSelfReferral,
  deleteForPerson,
  draftReferral,
  giveBackSelfReferral,
  noteCall,
  readSelfReferral,
  takeSelfReferral,
} from './queue-actions.ts';
import { listOfSamePerson, listUnsettledSelfReferrals, retentionDays } from './self-referrals-store.ts';

type Deps = WebPlatform & SubmitDeps;

const path = '/self-referrals';
const done = successBanner({
  'given-back': 'It is back in the list. A colleague can take it.',
  called: 'The call was noted.',
  closed: `It is closed. What the person sent is deleted in ${retentionDays} days.`,
  deleted: 'All of it was deleted.',
});
const maxNoteLength = 2000;

const pathOf = (id: string) => `${path}/${encodeURIComponent(id)}`;

/** The forms on the page of a self-referral. `run` returns the path to which the browser goes next. */
const forms: { name: string; run: (deps: Deps, act: ActionOn, body: unknown) => Promise<string> }[] = [
  {
    name: 'give-back',
    async run(deps, act) {
      await giveBackSelfReferral(deps, act);
      return done.path(path, 'given-back');
    },
  },
  {
    name: 'call',
    async run(deps, act, body) {
      await noteCall(deps, act, readCall(body));
      return done.path(pathOf(act.id), 'called');
    },
  },
  {
    name: 'draft',
    run: async (deps, act) => `/referrals/${await draftReferral(deps, act)}/edit`,
  },
  {
    name: 'close',
    async run(deps, act, body) {
      await closeSelfReferral(deps, act, readClosing(body));
      return done.path(path, 'closed');
    },
  },
  {
    name: 'delete',
    async run(deps, act) {
      await deleteForPerson(deps, act);
      return done.path(path, 'deleted');
    },
  },
];
const labels = { reached: '', note: '', reason: '', same_as: '', close_note: '' };

/** The queue of people who referred themselves: link workers take one, ring, note the call, and make a draft or close it. */
export function queuePages(app: App, deps: Deps): void {
  const config = page(signedIn('referrer'));
  const querystring = Type.Object({ done: done.query });
  const params = Type.Object({ id: Type.String({ maxLength: 100 }) });

  app.get(path, { config, schema: { hide: true, querystring } }, (request, reply) =>
    showQueue(deps, request, reply, { done: done.words(request.query.done) }),
  );
  app.get(`${path}/:id`, { config, schema: { hide: true, params, querystring } }, (request, reply) =>
    showSelfReferral(deps, request, reply, actionOn(request, request.params.id), {
      done: done.words(request.query.done),
    }),
  );

  const schema = { hide: true, params, body: anyForm } as const;
  app.post(`${path}/:id/take`, { config, schema }, async (request, reply) => {
    const act = actionOn(request, request.params.id);
    try {
      await takeSelfReferral(deps, act);
      return reply.redirect(pathOf(act.id), 303);
    } catch (error) {
      // Back to the list, because only the colleague who took it may open its page.
      requireRefusal(error, [unprocessable]);
      return showQueue(deps, request, reply.code(error.kind.status), { errors: toFormErrors({}, error) });
    }
  });
  for (const { name, run } of forms)
    app.post(`${path}/:id/${name}`, { config, schema }, async (request, reply) => {
      const act = actionOn(request, request.params.id);
      try {
        return reply.redirect(await run(deps, act, request.body), 303);
      } catch (error) {
        requireRefusal(error, [unprocessable]);
        const errors = toFormErrors(labels, error);
        return showSelfReferral(deps, request, reply.code(error.kind.status), act, { errors });
      }
    });
}

type PageState = { done?: string | undefined; errors?: FormErrors };

/** The list names nobody, so opening it needs no entry in the audit. */
async function showQueue(deps: Deps, request: Request, reply: Reply, pageState: PageState): Promise<Reply> {
  const { accountId } = requireCaller(request);
  const now = deps.clock.now();
  const [desk, rows] = await Promise.all([findDesk(deps.db), listUnsettledSelfReferrals(deps.db, now)]);
  const seesAll = isOwnerOrDeputy(desk, accountId);
  return deps.pages.send(request, reply, 'self-referrals/templates/queue.njk', {
    ...pageState,
    state: deps.settings.selfReferral ? deskState(desk, deps.settings, now) : 'off',
    desk,
    rows: rows.map((row) => ({
      ...row,
      ringByInWords: ringDayInWords(row.ringBy),
      mayOpen: row.takenById === accountId || (seesAll && row.takenById !== null),
      mayTake: row.takenById === null || (seesAll && row.takenById !== accountId),
    })),
  });
}

async function showSelfReferral(
  deps: Deps,
  request: Request,
  reply: Reply,
  act: ActionOn,
  pageState: PageState,
): Promise<Reply> {
  const selfReferral = await readSelfReferral(deps, act);
  const [service, desk, others] = await Promise.all([
    findServiceForReferral(deps.db, selfReferral.serviceId),
    findDesk(deps.db),
    listOfSamePerson(deps.db, selfReferral),
  ]);
  return deps.pages.send(request, reply, 'self-referrals/templates/self-referral.njk', {
    selfReferral,
    service,
    postcodeIsUnknown:
      selfReferral.details.postcode !== undefined &&
      (await findExampleDistrict(deps.db)) !== undefined &&
      !(await isKnownPostcode(deps.db, selfReferral.details.postcode)),
    isUnsettled: selfReferral.settledAt === null,
    wasSpokenTo: wasSpokenTo(selfReferral),
    others,
    sameAs: others.find(({ id }) => id === selfReferral.sameAsId),
    mayDelete: isOwnerOrDeputy(desk, act.caller.accountId),
    closedBecause: selfReferral.closeReason && closeReasons[selfReferral.closeReason],
    reasons: Object.entries(closeReasons).map(([value, text]) => {
      const hint = hintOf(value as CloseReason, selfReferral, others.length);
      return { value, text, ...(hint && { hint: { text: hint } }) };
    }),
    values: readUntrimmedFields(request.body, ['reached', 'note', 'reason', 'same_as', 'close_note']),
    ...pageState,
  });
}

/** What a reason asks for. The form says it before anybody presses the button. */
function hintOf(reason: CloseReason, { calls }: SelfReferral, otherCount: number): string | undefined {
  if (reason === 'not-reached')
    return `Ring at least ${callsBeforeGivingUp} times. Calls count if they are at least two hours apart. So far: ${countAttempts(calls)}.`;
  if (reason === 'sent-twice')
    return otherCount > 0
      ? 'Choose the other one below.'
      : 'There is no other one with this name or number, so you cannot choose this.';
  return reason === 'not-genuine' ? 'Say in the note why you think so.' : undefined;
}

/** @throws Problem `unprocessable` in the words of the form. */
function readCall(body: unknown): { reached: boolean; note: string } {
  const { reached } = readFields(body, ['reached']);
  const note = trimToUndefined(readUntrimmedFields(body, ['note']).note) ?? '';
  const errors = [
    ...(reached === 'yes' || reached === 'no'
      ? []
      : [{ pointer: '/reached', message: 'Say whether you reached them' }]),
    ...([...note].length > maxNoteLength
      ? [{ pointer: '/note', message: `Use ${maxNoteLength} characters or fewer` }]
      : []),
  ];
  if (errors.length > 0) throw new Problem(unprocessable, undefined, { errors });
  return { reached: reached === 'yes', note };
}

/** @throws Problem `unprocessable` in the words of the form. */
function readClosing(body: unknown): Closing {
  const { reason, same_as } = readFields(body, ['reason', 'same_as']);
  const note = trimToUndefined(readUntrimmedFields(body, ['close_note']).close_note);
  const errors = [
    ...(Object.hasOwn(closeReasons, reason) ? [] : [{ pointer: '/reason', message: 'Choose a reason' }]),
    ...([...(note ?? '')].length > maxNoteLength
      ? [{ pointer: '/close_note', message: `Use ${maxNoteLength} characters or fewer` }]
      : []),
  ];
  if (errors.length > 0) throw new Problem(unprocessable, undefined, { errors });
  return { reason: reason as CloseReason, note, sameAsId: trimToUndefined(same_as) };
}
