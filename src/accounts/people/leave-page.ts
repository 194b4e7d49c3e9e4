import { type FormErrors, joinDate, readFields, toFormErrors } from '../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../platform/http/index.ts';
import type { Platform, WebPlatform } from '../../platform/platform.ts';
import { requireRefusal, unprocessable } from '../../platform/problem/index.ts';
import { actorOf, requireCaller } from '../model/caller.ts';
import {
  findLeave,
  listPossibleStandIns,
  type StoredLeave,
  wouldBeUnstaffed,
} from '../model/leaves-store.ts';
import { endLeave, type NewLeave, setLeave } from './set-leave.ts';

const path = '/account/leave';
const config = page(signedIn());

/** The page on which somebody says when they are on leave, and who stands in. */
export function leavePages(app: App, deps: WebPlatform): void {
  app.get(path, { config }, async (request, reply) => {
    const { leave } = await loadLeave(deps, requireCaller(request).accountId);
    return sendForm(deps, request, reply, toLeaveForm(leave));
  });

  app.post(path, { config, schema: { body: anyForm } }, async (request, reply) => {
    const caller = requireCaller(request);
    const form = readLeaveForm(request.body);
    try {
      await setLeave(deps, actorOf(caller, request.ip), { id: caller.accountId }, parseLeaveForm(form));
      return reply.redirect('/account?done=leave', 303);
    } catch (error) {
      requireRefusal(error, [unprocessable]);
      return sendForm(deps, request, reply.code(error.kind.status), form, toFormErrors(leaveLabels, error));
    }
  });

  app.get(`${path}/end`, { config }, (_, reply) => reply.redirect(path, 303));
  app.post(`${path}/end`, { config }, async (request, reply) => {
    const caller = requireCaller(request);
    await endLeave(deps, actorOf(caller, request.ip), { id: caller.accountId });
    return reply.redirect('/account?done=leave-ended', 303);
  });
}

async function sendForm(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  values: LeaveForm,
  errors?: FormErrors,
): Promise<Reply> {
  const { leave, standIns } = await loadLeave(deps, requireCaller(request).accountId);
  const context = { leave, standIns, values, errors };
  return deps.pages.send(request, reply, 'accounts/people/templates/account-leave.njk', context);
}

/** The fields of a leave's forms in order, with their names. */
export const leaveLabels = {
  first_day: 'The first day',
  last_day: 'The last day',
  stand_in: 'Who stands in',
  replace: 'Your choice',
} as const;

const fields = [
  'first_day',
  'first_month',
  'first_year',
  'last_day',
  'last_month',
  'last_year',
  'stand_in',
  'replace',
] as const;
type LeaveForm = Record<(typeof fields)[number], string>;

export const readLeaveForm = (body: unknown): LeaveForm => readFields(body, fields);

export function toLeaveForm(leave: StoredLeave | undefined): LeaveForm {
  const [first_year = '', first_month = '', first_day = ''] = leave?.firstDay.split('-') ?? [];
  const [last_year = '', last_month = '', last_day = ''] = leave?.lastDay.split('-') ?? [];
  const stand_in = leave?.standInId ?? '';
  return { first_day, first_month, first_year, last_day, last_month, last_year, stand_in, replace: '' };
}

export function parseLeaveForm(form: LeaveForm): NewLeave {
  return {
    firstDay: joinDate([form.first_year, form.first_month, form.first_day]),
    lastDay: joinDate([form.last_year, form.last_month, form.last_day]),
    standIn: form.stand_in,
    replaces: form.replace === 'yes',
  };
}

/** The leave of an account that has not ended, and who may stand in. */
export async function loadLeave({ db, clock }: Platform, accountId: string) {
  const leave = await findLeave(db, accountId, clock.now());
  return {
    leave: leave && { ...leave, wouldBeUnstaffed: await wouldBeUnstaffed(db, accountId, leave) },
    standIns: await listPossibleStandIns(db, accountId),
  };
}
