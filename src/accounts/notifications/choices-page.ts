import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { type FormErrors, readFields } from '../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { unprocessable } from '../../platform/problem/index.ts';
import { actorOf, type Caller, requireCaller } from '../model/caller.ts';
import { choiceLookup, hasColleagueWhoGets, saveChoices } from './choices-store.ts';
import {
  choiceWords,
  defaultChoice,
  kindsFor,
  type NotificationChoice,
  type NotificationKind,
  notificationChoices,
  notificationRules,
} from './kinds.ts';

const path = '/account/emails';

type Choices = Partial<Record<NotificationKind, NotificationChoice>>;

/** The field with one choice for all kinds, and its value where somebody chooses for each. */
const forAll = 'all_kinds';
const forEach = 'each';

const allWords: Readonly<Record<NotificationChoice | typeof forEach, string>> = {
  'at-once': 'All of them, at once',
  daily: 'All of them, once a day in one email',
  off: 'None, except those that nobody can switch off',
  [forEach]: 'Choose for each kind',
};

/** The page on which people choose which emails about referrals they get, and how often. */
export function notificationPages(app: App, deps: WebPlatform): void {
  const config = page(signedIn());
  app.get(path, { config }, async (request, reply) => {
    const { accountId } = requireCaller(request);
    const choiceOf = await choiceLookup(deps.db, [accountId]);
    return sendForm(deps, request, reply, (kind) => choiceOf(accountId, kind) ?? defaultChoice);
  });

  app.post(path, { config, schema: { body: anyForm } }, async (request, reply) => {
    const caller = requireCaller(request);
    const kinds = kindsFor(caller.roles);
    const fields = readFields(request.body, [...kinds, forAll]);
    const readChoice = (value: string | undefined) => notificationChoices.find((each) => each === value);
    const ofAll = readChoice(fields[forAll]);
    const choices = Object.fromEntries(
      kinds.map((kind) => [kind, ofAll ?? readChoice(fields[kind]) ?? defaultChoice]),
    ) as Choices;
    const errors = await setChoices(deps, caller, choices, request.ip);
    if (!errors) return reply.redirect('/account?done=emails', 303);
    return sendForm(deps, request, reply.code(unprocessable.status), (kind) => choices[kind]!, errors);
  });
}

/** Which emails somebody has chosen, for their account page; undefined if there is nothing to choose. */
export async function newsChoiceInWords(
  { db }: Pick<WebPlatform, 'db'>,
  { accountId, roles }: Pick<Caller, 'accountId' | 'roles'>,
): Promise<string | undefined> {
  const kinds = kindsFor(roles);
  if (kinds.length === 0) return undefined;
  const choiceOf = await choiceLookup(db, [accountId]);
  const counts = notificationChoices.map((choice) => ({
    choice,
    count: kinds.filter((kind) => (choiceOf(accountId, kind) ?? defaultChoice) === choice).length,
  }));
  const only = counts.find(({ count }) => count === kinds.length);
  if (only) return `News of referrals: ${sameForAll[only.choice]}`;
  const parts = counts
    .filter(({ count }) => count > 0)
    .map(({ choice, count }) => `${count} ${count === 1 ? 'kind' : 'kinds'} ${partWords[choice]}`);
  return `News of referrals: ${parts.join(', ')}`;
}

const sameForAll: Readonly<Record<NotificationChoice, string>> = {
  'at-once': 'all, at once',
  daily: 'all, once a day in one email',
  off: 'none, except those that nobody can switch off',
};
const partWords: Readonly<Record<NotificationChoice, string>> = {
  'at-once': 'at once',
  daily: 'once a day',
  off: 'without an email',
};

async function sendForm(
  { pages }: WebPlatform,
  request: Request,
  reply: Reply,
  choiceOf: (kind: NotificationKind) => NotificationChoice,
  errors?: FormErrors,
): Promise<Reply> {
  const rows = kindsFor(requireCaller(request).roles).map((kind) => ({
    name: kind,
    label: notificationRules[kind].label,
    choice: choiceOf(kind),
  }));
  const offered = notificationChoices.map((value) => ({ value, text: choiceWords[value] }));
  const [first] = rows;
  // Somebody who has to correct some kinds sees all of them.
  const isSame = !errors && rows.every(({ choice }) => choice === first?.choice);
  const ofAll = isSame ? first?.choice : forEach;
  return pages.send(request, reply, 'accounts/notifications/templates/account-emails.njk', {
    rows,
    offered,
    forAll: {
      name: forAll,
      items: Object.entries(allWords).map(([value, text]) => ({ value, text, checked: value === ofAll })),
    },
    errors,
  });
}

/** Saves what somebody chose. @returns what is wrong with it, in which case nothing was changed. */
async function setChoices(
  { db, clock }: WebPlatform,
  caller: Caller,
  choices: Choices,
  ipAddress: string,
): Promise<FormErrors | undefined> {
  const { accountId: id } = caller;
  return inTransaction(db, async (trx) => {
    const kinds = Object.keys(choices) as NotificationKind[];
    const missed: NotificationKind[] = [];
    for (const kind of kinds) {
      const { mustReachSomebody, roles } = notificationRules[kind];
      if (!mustReachSomebody || choices[kind] !== 'off') continue;
      if (!(await hasColleagueWhoGets(trx, id, { kind, roles }))) missed.push(kind);
    }
    if (missed.length > 0) return problemWith(missed);
    if (kinds.length > 0) await saveChoices(trx, id, choices);
    await recordAudit(trx, {
      at: clock.now(),
      actor: actorOf(caller, ipAddress),
      action: 'account.emails_chosen',
      subject: { type: 'account', id },
      details: choices,
    });
    return undefined;
  });
}

function problemWith(kinds: readonly NotificationKind[]): FormErrors {
  const text =
    'Somebody in your organisation must get these emails. Choose “At once” or “Once a day”, or ask a colleague to get them first';
  return {
    summary: kinds.map((kind) => ({ text: `${notificationRules[kind].label}: ${text}`, href: `#${kind}` })),
    fields: Object.fromEntries(kinds.map((kind) => [kind, { text }])),
  };
}
