import { Type } from 'typebox';
import { requireCaller, searchAccounts } from '../../accounts/index.ts';
import { channelInWords } from '../../library/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { type FormErrors, successBanner } from '../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { Problem, unprocessable } from '../../platform/problem/index.ts';
import { findReferralsWithHiddenService, hiddenServiceName } from '../../referrals/index.ts';
import { listUsableKeys } from '../../tokens/index.ts';
import type { DeliveryDeps } from '../channels/deps.ts';
import { askCarriers } from './ask-carriers.ts';
import { confirmSent, findCheck, nothingToCheck } from './confirm-sent.ts';
import {
  allField,
  type CheckForm,
  countField,
  type Group,
  groups,
  lostRecordKinds,
  lostRecords,
  mailField,
  messageField,
  readCheckForm,
  type WaitingMessage,
  wordsOfMails,
} from './decisions.ts';

const path = '/operator/check-first';
/** More are answered together. A form that is kept while somebody signs in again has at most 1000 fields. */
const maxMessagesShown = 500;
const maxAccountsShown = 500;
const done = successBanner({ confirmed: 'Messages are sent again.' });

/** Where an operator confirms, after a restore, what was sent and ended between the backup and the loss. */
export function restoreCheckPages(app: App, deps: DeliveryDeps & WebPlatform): void {
  const config = page(signedIn('operator'));
  const querystring = Type.Object({ done: done.query });
  app.get(path, { config, schema: { querystring } }, (request, reply) =>
    show(deps, request, reply, { done: done.words(request.query.done) }),
  );
  app.post(`${path}/ask`, { config, schema: { body: anyForm } }, async (request, reply) => {
    const check = await findCheck(deps.db);
    const answers = await askCarriers(deps, check?.waiting.messages ?? []);
    return show(deps, request, reply, { answers, asked: true });
  });
  const confirming = page(signedIn('operator'), { needsRecentSignIn: true, returnTo: path });
  app.post(`${path}/confirm`, { config: confirming, schema: { body: anyForm } }, async (request, reply) => {
    const act = { caller: requireCaller(request), ipAddress: request.ip, body: request.body };
    const errors = await confirmSent(deps, act);
    if (!errors) return reply.redirect(done.path(path, 'confirmed'), 303);
    return show(deps, request, reply.code(unprocessable.status), { errors });
  });
}

type PageState = {
  done?: string | undefined;
  errors?: FormErrors;
  /** What the carriers said, by the message's id. */
  answers?: ReadonlyMap<string, string>;
  asked?: boolean;
};

/** Shows what waits, with what was chosen so far. */
async function show(
  deps: DeliveryDeps & WebPlatform,
  request: Request,
  reply: Reply,
  { done: doneWords, errors, answers, asked = false }: PageState,
) {
  const template = 'delivery/templates/check-first.njk';
  const check = await findCheck(deps.db);
  if (!check && request.method === 'POST') throw new Problem(nothingToCheck);
  if (!check) return deps.pages.send(request, reply, template, { done: doneWords });
  const now = deps.clock.now();
  const form = readCheckForm(request.body, { ...check.waiting, now });
  return deps.pages.send(request, reply, template, {
    state: check.restoreCheck,
    errors,
    asked,
    canAsk: deps.settings.mode === 'live' && deps.channels.outgoing.some(({ track }) => track),
    openedAt: now.toISOString(),
    records: lostRecordKinds.map((kind) => ({
      kind,
      words: lostRecords[kind],
      checked: form.recorded.includes(kind),
    })),
    groups: await groupsToShow(deps, request, form, answers),
    mails: form.mails.map((held) => ({
      ...held,
      name: mailField(held),
      words: wordsOfMails(held),
      value: form.values[mailField(held)],
    })),
    ...(await whoHasAccess(deps)),
    maxAccountsShown,
  });
}

async function groupsToShow(
  deps: DeliveryDeps & WebPlatform,
  request: Request,
  form: CheckForm,
  answers: ReadonlyMap<string, string> = new Map(),
) {
  const referralIds = [...new Set(form.messages.map(({ referralId }) => referralId))];
  const hidden = await inTransaction(deps.db, (trx) =>
    findReferralsWithHiddenService(trx, requireCaller(request), referralIds),
  );
  const rowOf = ({ channel, ...message }: WaitingMessage) => ({
    ...message,
    name: messageField(message.id),
    value: form.values[messageField(message.id)],
    receiver: receiverOf(message, { isServiceHidden: hidden.has(message.referralId) }),
    way: channel ? channelInWords(channel) : 'not tried yet',
    answer: answers.get(message.id),
  });
  const ofGroup = (group: Group) => form.messages.filter((message) => message.group === group);
  let left = maxMessagesShown;
  return groups
    .map((group) => {
      const messages = ofGroup(group);
      const shown = messages.slice(0, left);
      left -= shown.length;
      return {
        group,
        count: messages.length,
        isCut: shown.length < messages.length,
        allName: allField(group),
        allValue: form.values[allField(group)],
        countName: countField(group),
        messages: shown.map(rowOf),
      };
    })
    .filter(({ count }) => count > 0);
}

function receiverOf(
  { leg, receiverName }: Pick<WaitingMessage, 'leg' | 'receiverName'>,
  { isServiceHidden }: { isServiceHidden: boolean },
): string {
  if (leg === 'service' && isServiceHidden) return hiddenServiceName;
  return receiverName ?? (leg === 'service' ? 'The service' : 'The GP practice');
}

/** The accounts and keys that work, or will work after the check: some of them were ended after the backup was made. */
async function whoHasAccess({ db }: Pick<DeliveryDeps, 'db'>) {
  const found = await searchAccounts(db, { text: '', limit: maxAccountsShown + 1 });
  const accounts = found.slice(0, maxAccountsShown);
  return {
    accounts: accounts.filter(({ disabledAt }) => disabledAt === null),
    areAccountsCut: found.length > maxAccountsShown,
    keys: await listUsableKeys(db, maxAccountsShown),
  };
}
