import type { Actor } from '../../audit/index.ts';
import type { Db, Trx } from '../../platform/database/index.ts';
import { momentInWords } from '../../platform/html/index.ts';
import { type MailKind, type MailToPeople, mailPeople } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { contactOf } from '../../platform/settings/index.ts';
import { findAccount, listOperators } from './accounts-store.ts';

/**
 * Tells the holder of an account by email that a way to sign in, or a right, of the account changed, so that they notice a theft. For a
 * system it tells the owner.
 * @param sentence what changed, without a full stop
 * @param options `ifWrong` says what to do if the change is wrong; without it the email says to change the password
 */
export async function tellHolder(
  trx: Trx,
  deps: Platform,
  account: AccountToTell,
  sentence: string,
  {
    ipAddress,
    details = [],
    ifWrong,
  }: { ipAddress?: string | undefined; details?: readonly string[]; ifWrong?: string } = {},
): Promise<void> {
  const { siteName, baseUrl } = deps.settings;
  const holder = await findAccountContact(trx, account);
  if (!holder) return;
  const paragraphs = [
    `Hello ${holder.name},`,
    `${sentence}.`,
    account.isSystem
      ? `The system account that you own: ${account.name} at ${siteName} (${baseUrl})`
      : `Your account: ${holder.email} at ${siteName} (${baseUrl})`,
    ...(details.length > 0 ? [details.join('\n')] : []),
    `When: ${momentInWords(deps.clock.now())}${ipAddress === undefined ? '' : `\nIP address: ${ipAddress}`}`,
    'If you expected this, you do not need to do anything.',
    ifWrong ??
      `If not, somebody else may be using your account: change your password at ${baseUrl}/account and tell ` +
        `${contactOf(deps.settings)} at once.`,
  ];
  await mailPeople(trx, deps, 'site', { to: [holder.email], subject: sentence, paragraphs });
}

type AccountToTell = {
  readonly name: string;
  readonly email: string;
  readonly isSystem?: boolean;
  readonly ownerId?: string | null;
};

/** Who is told about an account: its holder, or the owner of a system; undefined while it has none. */
export async function findAccountContact(
  db: Db,
  { name, email, isSystem, ownerId }: AccountToTell,
): Promise<{ name: string; email: string } | undefined> {
  if (!isSystem) return { name, email };
  return ownerId ? findAccount(db, ownerId) : undefined;
}

type Holder = { readonly id: string; readonly name: string; readonly email: string };

/**
 * Tells the other operators that one of them changed somebody's rights, so that nobody can do it unseen. The holder gets an
 * email of their own. Changes from the command line are not reported: it belongs to the owner of the machine.
 */
export async function tellOtherOperators(
  trx: Trx,
  deps: Platform,
  actor: Actor,
  holder: Holder,
  { what, lines = [], reason }: { what: string; lines?: readonly string[]; reason?: string | undefined },
): Promise<void> {
  const details = [
    `Account: ${holder.name}, ${holder.email}`,
    ...lines,
    ...(reason ? [`Reason: ${reason}`] : []),
  ];
  const path = `/operator/accounts/${holder.id}`;
  await mailOtherOperators(trx, deps, actor, { what, details, path, except: [holder.id] });
}

/** Tells the other operators in one email that one of them invited a team. */
export async function tellOfInvitedTeam(
  trx: Trx,
  deps: Platform,
  actor: Actor,
  team: readonly (Holder & { readonly lines: readonly string[] })[],
): Promise<void> {
  const what = team.length === 1 ? 'invited somebody' : `invited ${team.length} people`;
  const details = team.map(({ name, email, lines }) => [`${name}, ${email}`, ...lines].join('. '));
  await mailOtherOperators(trx, deps, actor, { what, details, path: '/operator/accounts' });
}

async function mailOtherOperators(
  trx: Trx,
  deps: Platform,
  actor: Actor,
  { what, details, path, except = [] }: { what: string; details: string[]; path: string; except?: string[] },
): Promise<void> {
  if (actor.id === undefined) return;
  const about = [
    `${actor.name} ${what}.`,
    details.join('\n'),
    `When: ${momentInWords(deps.clock.now())}`,
    `If you expected this, there is nothing to do. If not, ask ${actor.name}, and look at ` +
      `${deps.settings.baseUrl}${path}`,
  ];
  const others = await listOperators(trx, { except: [actor.id, ...except] });
  const mails = others.map(({ email, name }) => ({
    to: [email],
    subject: `An operator ${what}`,
    paragraphs: [`Hello ${name},`, ...about],
  }));
  await mailPeople(trx, deps, 'site', ...mails);
}

/** Tells all operators of something that they have to look after, in the transaction that found it. */
export async function mailOperators(
  trx: Trx,
  deps: Platform,
  kind: MailKind,
  mail: Omit<MailToPeople, 'to'>,
): Promise<void> {
  const operators = await listOperators(trx);
  await mailPeople(trx, deps, kind, { to: operators.map(({ email }) => email), ...mail });
}
