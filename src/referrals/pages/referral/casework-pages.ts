import { Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import { isCalendarDay } from '../../../platform/clock/index.ts';
import { joinDate, readUntrimmedFields, trimToUndefined } from '../../../platform/html/index.ts';
import {
  type App,
  anyForm,
  describeErrors,
  page,
  type Reply,
  type Request,
  signedIn,
  validatorOf,
} from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { Problem, unprocessable, versionStale } from '../../../platform/problem/index.ts';
import {
  addNote,
  assignReferral,
  newNoteSchema,
  reminderProblem,
  setReminder,
} from '../../casework/casework.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { referralPagePath } from '../referral-page-address.ts';
import { listSuffix } from './list-links.ts';
import { pathAfter, refusedField, showReferral } from './referral-page.ts';

type Deps = ReferralDeps & WebPlatform;

const params = Type.Object({ id: Type.String({ maxLength: 100 }) });

/** The forms of what a side keeps to itself: who looks after a referral, private notes and reminders. */
export function caseworkPages(app: App, deps: Deps): void {
  const config = page(signedIn());
  const schema = { hide: true, params, body: anyForm } as const;
  for (const part of ['owner', 'notes', 'reminder'])
    app.get(`/referrals/:id/${part}`, { config, schema: { hide: true, params } }, (request, reply) =>
      reply.redirect(referralPagePath(request.params.id) + listSuffix(request), 303),
    );
  app.post('/referrals/:id/owner', { config, schema }, (request, reply) => changeOwner(deps, request, reply));
  app.post('/referrals/:id/notes', { config, schema }, (request, reply) => saveNote(deps, request, reply));
  app.post('/referrals/:id/reminder', { config, schema }, (request, reply) =>
    saveReminder(deps, request, reply),
  );
}

type FormRequest = Request & { params: { id: string } };

async function changeOwner(deps: Deps, request: FormRequest, reply: Reply): Promise<Reply> {
  const { id: referralId } = request.params;
  const { owner, seen_owner } = readUntrimmedFields(request.body, ['owner', 'seen_owner']);
  const change = { ownerId: owner || null, seenOwnerId: seen_owner || null };
  try {
    await assignReferral(deps, requireCaller(request), { referralId, ipAddress: request.ip, ...change });
  } catch (error) {
    const words = error instanceof Problem ? ownerProblems.get(error.kind) : undefined;
    if (words === undefined) throw error;
    return showReferral(deps, request, reply, referralId, refusedField('owner', words));
  }
  return reply.redirect(pathAfter(request, referralId, owner === '' ? 'unassigned' : 'assigned'), 303);
}

const ownerProblems = new Map([
  [versionStale, 'A colleague has assigned it since you opened this page. It is shown as it is now'],
  [unprocessable, 'Choose a colleague of your organisation'],
]);

async function saveNote(deps: Deps, request: FormRequest, reply: Reply): Promise<Reply> {
  const { id: referralId } = request.params;
  const values = readUntrimmedFields(request.body, ['note']);
  const text = trimToUndefined(values.note) ?? '';
  const error = describeErrors(validatorOf(newNoteSchema).Errors({ note: text }), '')[0];
  if (error) {
    const words = text === '' ? 'Write the note' : `What you wrote ${error.message}`;
    return showReferral(deps, request, reply, referralId, refusedField('note', words, values));
  }
  await addNote(deps, requireCaller(request), { referralId, ipAddress: request.ip, text });
  return reply.redirect(pathAfter(request, referralId, 'note'), 303);
}

async function saveReminder(deps: Deps, request: FormRequest, reply: Reply): Promise<Reply> {
  const { id: referralId } = request.params;
  const names = ['remind_day', 'remind_month', 'remind_year', 'remove'] as const;
  const { remove, ...values } = readUntrimmedFields(request.body, names);
  const day = joinDate([values.remind_year, values.remind_month, values.remind_day]);
  if (remove === 'yes') {
    await setReminder(deps, requireCaller(request), { referralId, ipAddress: request.ip, day: undefined });
    return reply.redirect(pathAfter(request, referralId, 'reminder-removed'), 303);
  }
  const words = dayProblem(day, deps.clock.now());
  if (words !== undefined || day === undefined)
    return showReferral(deps, request, reply, referralId, refusedField('remind_day', words ?? '', values));
  await setReminder(deps, requireCaller(request), { referralId, ipAddress: request.ip, day });
  return reply.redirect(pathAfter(request, referralId, 'reminder'), 303);
}

function dayProblem(day: string | undefined, now: Date): string | undefined {
  if (day === undefined) return 'Enter the date on which you want to be reminded';
  if (!isCalendarDay(day)) return 'The date must be a real date, like 5 4 2027';
  const problem = reminderProblem(day, now);
  if (problem === 'in-past') return 'The date must be after today';
  return problem && 'The date must be within a year';
}
