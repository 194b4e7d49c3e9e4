import { Type } from 'typebox';
import { actorOf, requireCaller } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { dayNames } from '../library/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import {
  type FormErrors,
  readChoices,
  readFields,
  successBanner,
  toFormErrors,
} from '../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { type FieldError, Problem, unprocessable } from '../platform/problem/index.ts';
import { findDesk, listPossiblePeople, saveDesk, setToldClosedAt } from './desk-store.ts';
import { deskState } from './model.ts';

const path = '/operator/self-referrals';
const done = successBanner({ saved: 'Saved.' });
const weekdayChoices = dayNames.slice(0, 5).map((text, weekday) => ({ value: String(weekday), text }));
/** With fewer days, people would wait longer than the five days after which self-referral closes. */
const minWeekdays = 3;
const maxPeople = 1000;

type DeskForm = { owner: string; deputy: string; weekdays: readonly string[]; open: string };

/** Where an operator names who answers people who refer themselves, and switches it on or off. */
export function deskPages(app: App, deps: WebPlatform): void {
  // The form decides who reads what people send, so it asks for a recent sign-in.
  const config = page(signedIn('operator'), { needsRecentSignIn: true, returnTo: path });
  const querystring = Type.Object({ done: done.query });
  app.get(path, { config, schema: { hide: true, querystring } }, async (request, reply) => {
    const desk = await findDesk(deps.db);
    const values = {
      owner: desk?.owner.id ?? '',
      deputy: desk?.deputy.id ?? '',
      weekdays: (desk?.weekdays ?? [0, 1, 2, 3, 4]).map(String),
      open: desk?.isOn ? 'yes' : '',
    };
    return sendForm(deps, request, reply, { values, done: done.words(request.query.done) });
  });

  app.post(path, { config, schema: { hide: true, body: anyForm } }, async (request, reply) => {
    const { owner, deputy, open } = readFields(request.body, ['owner', 'deputy', 'open']);
    const values = { owner, deputy, open, weekdays: readChoices(request.body, 'weekdays') };
    const people = await listPossiblePeople(deps.db, maxPeople);
    const errors = deskErrors(
      values,
      people.map(({ id }) => id),
    );
    if (errors.length > 0) {
      const problem = new Problem(unprocessable, undefined, { errors });
      const formErrors = toFormErrors({ owner: '', deputy: '', weekdays: '' }, problem);
      return sendForm(deps, request, reply.code(unprocessable.status), { values, errors: formErrors });
    }
    const weekdays = values.weekdays.map(Number).toSorted();
    const at = deps.clock.now();
    await inTransaction(deps.db, async (trx) => {
      await saveDesk(trx, { isOn: open === 'yes', ownerId: owner, deputyId: deputy, weekdays });
      // The next time that self-referral closes by itself is reported again.
      await setToldClosedAt(trx, null);
      await recordAudit(trx, {
        at,
        actor: actorOf(requireCaller(request), request.ip),
        action: 'self-referral.desk-changed',
        subject: { type: 'self_referral_desk', id: 'site' },
        details: { is_open: open === 'yes', owner, deputy, weekdays },
      });
    });
    return reply.redirect(done.path(path, 'saved'), 303);
  });
}

function deskErrors({ owner, deputy, weekdays }: DeskForm, possibleIds: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  const days = new Set(weekdays.filter((each) => weekdayChoices.some(({ value }) => value === each)));
  if (!possibleIds.includes(owner)) errors.push({ pointer: '/owner', message: 'Choose the owner' });
  if (!possibleIds.includes(deputy)) errors.push({ pointer: '/deputy', message: 'Choose the deputy' });
  else if (owner === deputy) errors.push({ pointer: '/deputy', message: 'Choose two people' });
  if (days.size < minWeekdays || days.size !== weekdays.length)
    errors.push({ pointer: '/weekdays', message: `Choose at least ${minWeekdays} days` });
  return errors;
}

async function sendForm(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  content: { values: DeskForm; errors?: FormErrors; done?: string | undefined },
): Promise<Reply> {
  const desk = await findDesk(deps.db);
  return deps.pages.send(request, reply, 'self-referrals/templates/desk.njk', {
    isOnSite: deps.settings.selfReferral,
    desk,
    state: deskState(desk, deps.settings, deps.clock.now()),
    people: await listPossiblePeople(deps.db, maxPeople),
    weekdayChoices,
    ...content,
  });
}
