import { type FormErrors, momentOfOpening, readChoices, readFields } from '../../platform/html/index.ts';
import type { HeldMails, MailKind } from '../../platform/mail/index.ts';
import type { HeldForCheck } from '../held/restore-check-store.ts';

/** What an operator decides about a message that a restored site holds. `hold`: it stays held. */
const decisions = ['arrived', 'send', 'hold'] as const;
export type Decision = (typeof decisions)[number];

/** Whether a message was there when the backup was made, so that it may have been sent since, or was made after the restore. */
export const groups = ['backup', 'since'] as const;
export type Group = (typeof groups)[number];

/** What was recorded between the backup and the loss, and must be recorded again before anything is sent. */
export const lostRecords = {
  agreements: 'agreements that people withdrew or changed',
  deaths: 'deaths',
  corrections: 'corrections, and referrals that were cancelled',
  pages: 'ends of people’s own pages',
  erasures: 'erasures and restrictions',
  accounts: 'accounts and keys that were disabled or regenerated',
} as const;
export type LostRecord = keyof typeof lostRecords;
export const lostRecordKinds = Object.keys(lostRecords) as LostRecord[];

const mailKindWords: Readonly<Record<MailKind | 'earlier', string>> = {
  person: 'messages to people who were referred',
  news: 'emails to staff with news about referrals',
  digest: 'daily and weekly digests to staff',
  reminder: 'reminders to staff about referrals',
  'offline-copy': 'copies for days without the site',
  record: 'emails about records and who looked at them',
  site: 'emails about accounts and the site',
  earlier: 'emails of an earlier version, of whatever kind',
};

export const wordsOfMails = ({ kind }: Pick<HeldMails, 'kind'>): string => mailKindWords[kind ?? 'earlier'];

/** The name of the field that decides about these emails. */
export function mailField({ kind, wasInBackup }: Pick<HeldMails, 'kind' | 'wasInBackup'>): string {
  return `mails-${kind ?? 'earlier'}-${wasInBackup ? 'backup' : 'since'}`;
}

export const messageField = (id: string): string => `message-${id}`;
export const allField = (group: Group): string => `all-${group}`;
export const countField = (group: Group): string => `count-${group}`;

/** A message with the group that it is in. */
export type WaitingMessage = HeldForCheck & { group: Group };

/** What waits now, and what an operator has chosen about it. */
export type CheckForm = {
  messages: readonly WaitingMessage[];
  mails: readonly HeldMails[];
  /** What was sent, by the name of its field. */
  values: Readonly<Record<string, string>>;
  recorded: readonly string[];
  /** When the page was opened. What was made after that cannot have been sent before, so it is sent without a decision. */
  openedAt: Date;
};

/** Reads the form. Fields about what no longer waits are left out. */
export function readCheckForm(
  body: unknown,
  { messages, mails, now }: Pick<CheckForm, 'messages' | 'mails'> & { now: Date },
): CheckForm {
  const names = [
    ...messages.map(({ id }) => messageField(id)),
    ...mails.map(mailField),
    ...groups.flatMap((group) => [allField(group), countField(group)]),
    'opened-at',
  ];
  const values = readFields(body, names);
  return {
    messages,
    mails,
    values,
    recorded: readChoices(body, 'recorded'),
    openedAt: momentOfOpening(values['opened-at'] ?? '', now),
  };
}

/** What to do with each message and each kind of email; undefined where no answer was given. */
export function readDecisions(form: CheckForm): {
  messages: Map<string, Decision | undefined>;
  mails: Map<HeldMails, 'send' | 'drop' | undefined>;
} {
  const { messages, mails, openedAt } = form;
  return {
    messages: new Map(messages.map((message) => [message.id, decisionAbout(form, message)])),
    mails: new Map(
      mails.map((held) => {
        const chosen = form.values[mailField(held)];
        if (chosen === 'send' || chosen === 'drop') return [held, chosen];
        return [held, !held.wasInBackup && held.oldestAt > openedAt ? 'send' : undefined];
      }),
    ),
  };
}

function decisionAbout(form: CheckForm, { id, group, createdAt }: WaitingMessage): Decision | undefined {
  const { values, openedAt } = form;
  const own = decisions.find((each) => each === values[messageField(id)]);
  if (own) return own;
  if (group === 'since' && createdAt > openedAt) return 'send';
  const all = decisions.find((each) => each === values[allField(group)]);
  return countMoreThanShown(form, group) > 0 ? undefined : all;
}

/** How many more messages wait than the page said. An answer for all of them must not be given to those. */
function countMoreThanShown({ messages, values, openedAt }: CheckForm, group: Group): number {
  const waiting = messages.filter((message) => message.group === group);
  const counted = group === 'backup' ? waiting : waiting.filter(({ createdAt }) => createdAt <= openedAt);
  return counted.length - Number(values[countField(group)] || 0);
}

const groupWords: Readonly<Record<Group, string>> = {
  backup: 'that waited when the backup was made',
  since: 'made after the restore',
};

/** What an operator has still to say; undefined if everything is answered. */
export function findMissing(form: CheckForm): FormErrors | undefined {
  const summary: { text: string; href: string }[] = [];
  const fields: Record<string, { text: string }> = {};
  const add = (name: string, text: string, href = `#${name}`) => {
    summary.push({ text, href });
    fields[name] = { text };
  };
  const unticked = lostRecordKinds.filter((kind) => !form.recorded.includes(kind));
  for (const kind of unticked) {
    const text = `Tick “${lostRecords[kind]}” once they are recorded again, or if you know that there were none`;
    summary.push({ text, href: `#recorded-${kind}` });
  }
  if (unticked.length > 0) fields.recorded = { text: 'Tick all of these before you confirm' };
  const decided = readDecisions(form);
  for (const group of groups) {
    const open = form.messages.filter(
      (message) => message.group === group && !decided.messages.get(message.id),
    );
    if (open.length === 0) continue;
    const more = form.values[allField(group)] ? countMoreThanShown(form, group) : 0;
    const count = open.length === 1 ? '1 message' : `${open.length} messages`;
    const since = more > 0 ? `. ${more} of them came after you opened this page` : '';
    add(allField(group), `Choose what to do with ${count} ${groupWords[group]}${since}`);
  }
  for (const [held, decision] of decided.mails)
    if (decision === undefined)
      add(mailField(held), `Choose whether to send the ${wordsOfMails(held)} (${held.count})`);
  return summary.length > 0 ? { summary, fields } : undefined;
}
