import { actorOf, beginAttempt, type Caller, checkNewPassword } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { type Db, inTransaction, type Trx } from '../../platform/database/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import { isMailAddress } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import {
  type FieldError,
  forbidden,
  notFound,
  Problem,
  unprocessable,
} from '../../platform/problem/index.ts';
import { recordAccessByCopy } from '../../referrals/index.ts';
import {
  type CopySides,
  deleteChoice,
  findCopyChoice,
  findCopyFile,
  findOrganisationWithSides,
  saveChoice,
} from '../model/offline-copies-store.ts';
import { sealPassword } from './copy-password.ts';
import { isOwnAddress } from './own-address.ts';
import { tellColleagues } from './tell-colleagues.ts';

type CopyChoice = { password: string; email: string };

/** Whether somebody may see all that the copy has: the referrals that their organisation made, and those that it received. */
export function seesAll({ roles }: Caller, { hasMade, hasReceived }: CopySides): boolean {
  return (!hasMade || roles.includes('referrer')) && (!hasReceived || roles.includes('provider'));
}

/**
 * Chooses a nightly copy for the caller's organisation, or changes its password or email address, and makes the first one now.
 * An empty password keeps the one from before. All people of the organisation are told.
 * @throws Problem `forbidden`, `unprocessable`, `too-many-attempts`.
 */
export async function chooseCopy(
  deps: Platform,
  caller: Caller,
  { password, email }: CopyChoice,
  ipAddress: string,
): Promise<void> {
  const at = deps.clock.now();
  await countChange(deps, caller, ipAddress);
  await inTransaction(deps.db, async (trx) => {
    const organisation = await requireOwnOrganisation(trx, caller);
    const { id, name } = organisation;
    const before = await findCopyChoice(trx, id);
    const keep = password === '' ? before : undefined;
    const errors = [
      ...(keep ? [] : checkPassword(password, [name, deps.settings.siteName, caller.name, caller.email])),
      ...(await checkEmail(trx, organisation, email)),
    ];
    if (errors.length > 0) throw new Problem(unprocessable, undefined, { errors });
    const sealedPassword = keep?.sealedPassword ?? sealPassword(deps, id, password);
    await saveChoice(trx, {
      organisationId: id,
      sealedPassword,
      email: email || null,
      at,
      byName: caller.name,
    });
    await addJobs(trx, 'make-offline-copy', [{ organisation_id: id }]);
    const where = email === '' ? 'It is not sent by email' : `It is sent to ${email} each night`;
    const what = before
      ? 'changed how the copy of your open referrals is made'
      : 'chose a nightly copy of your open referrals';
    await tellColleagues(trx, deps, id, {
      what: `${caller.name} ${what}. ${where}`,
      whatToDo: 'If this is not right, stop the copy or change its password',
    });
    const details = { by_email: email !== '', new_password: !keep };
    await recordAudit(trx, {
      ...auditEntryOf(caller, id, at, ipAddress),
      action: 'offline_copy.chosen',
      details,
    });
  });
}

/** Counts a change for the throttle, because each one sends an email to everybody of the organisation. @throws Problem `too-many-attempts`. */
async function countChange(deps: Platform, { accountId, organisation }: Caller, ipAddress: string) {
  const organisationId = organisation?.id;
  if (organisationId !== undefined)
    await beginAttempt(deps, { kind: 'offline-copy', accountId, organisationId, ipAddress });
}

/** Stops the nightly copy, and deletes the last one. @throws Problem `forbidden`, `too-many-attempts`. */
export async function stopCopy(deps: Platform, caller: Caller, ipAddress: string): Promise<void> {
  const at = deps.clock.now();
  await countChange(deps, caller, ipAddress);
  await inTransaction(deps.db, async (trx) => {
    const { id } = await requireOwnOrganisation(trx, caller);
    if (!(await deleteChoice(trx, id))) return;
    await tellColleagues(trx, deps, id, {
      what: `${caller.name} stopped the copy of your open referrals`,
      whatToDo: 'If you need one on days without the site, choose it again',
    });
    await recordAudit(trx, { ...auditEntryOf(caller, id, at, ipAddress), action: 'offline_copy.stopped' });
  });
}

/** The last copy, as it is encrypted. That somebody took it is audited. @throws Problem `forbidden`, `not-found`. */
export async function downloadCopy(
  deps: Platform,
  caller: Caller,
  ipAddress: string,
): Promise<{ file: Buffer; madeAt: Date }> {
  return inTransaction(deps.db, async (trx) => {
    const { id } = await requireOwnOrganisation(trx, caller);
    const copy = await findCopyFile(trx, id);
    if (!copy) throw new Problem(notFound);
    const at = deps.clock.now();
    await recordAudit(trx, { ...auditEntryOf(caller, id, at, ipAddress), action: 'offline_copy.downloaded' });
    await recordAccessByCopy(trx, { organisationId: id, accountId: caller.accountId }, copy.referralIds, at);
    return copy;
  });
}

/** @throws Problem `forbidden` for somebody who does not see all of what the copy has. */
async function requireOwnOrganisation(trx: Trx, caller: Caller) {
  const organisation = await findOwnOrganisation(trx, caller);
  if (organisation && seesAll(caller, organisation)) return organisation;
  throw new Problem(forbidden, 'Only people who see all open referrals of their organisation can do that.');
}

export async function findOwnOrganisation(db: Db, { organisation }: Caller) {
  return organisation ? findOrganisationWithSides(db, organisation.id) : undefined;
}

/** Characters of a password that all PDF readers treat in the same way. */
const typable = /^[\x20-\x7e]*$/;
const maxPasswordLength = 100;

function checkPassword(password: string, about: readonly string[]): FieldError[] {
  const weaknesses = checkNewPassword(password, { hasSecondFactor: false, about });
  const messages = weaknesses.map(({ message }) => `The password ${message}`);
  if (password.length > maxPasswordLength) messages.push(`Use ${maxPasswordLength} characters or fewer`);
  if (!typable.test(password))
    messages.push('Use letters without accents, digits, spaces and signs like - or !');
  return messages.map((message) => ({ pointer: '/copy_password', message }));
}

/** Whether the copy may be sent there. The organisation’s own people are listed nowhere, so a refusal names no address. */
async function checkEmail(
  trx: Trx,
  organisation: Parameters<typeof isOwnAddress>[1] & { name: string },
  email: string,
): Promise<FieldError[]> {
  if (email === '') return [];
  if (!isMailAddress(email))
    return [
      { pointer: '/email', message: 'Enter an email address in the right format, like name@example.org' },
    ];
  if (await isOwnAddress(trx, organisation, email)) return [];
  return [
    {
      pointer: '/email',
      message: `Enter the address of somebody who sees referrals for ${organisation.name}, or one that the people who run this site have entered for it`,
    },
  ];
}

function auditEntryOf(caller: Caller, organisationId: string, at: Date, ipAddress: string) {
  return { at, actor: actorOf(caller, ipAddress), subject: { type: 'organisation', id: organisationId } };
}
