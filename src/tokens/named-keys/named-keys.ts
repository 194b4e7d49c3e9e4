import { accountTopic, lockAccountRow, type Role } from '../../accounts/index.ts';
import { type Actor, type AuditAction, recordAudit } from '../../audit/index.ts';
import { inTransaction, notify, type Trx } from '../../platform/database/index.ts';
import { hourMs } from '../../platform/durations.ts';
import { newId, requireById } from '../../platform/ids/index.ts';
import { type FieldError, Problem, unprocessable } from '../../platform/problem/index.ts';
import { isPlainLine } from '../../platform/visible-text.ts';
import { keyChanged, tooManyKeys } from '../model/problems.ts';
import { type Scope, scopes } from '../model/scopes.ts';
import { newToken } from '../model/token.ts';
import type { TokenDeps } from '../model/token-services.ts';
import {
  parseRefreshTokenLimits,
  type RefreshTokenLimitsForm,
} from '../refresh-tokens/refresh-token-limits.ts';
import {
  deleteNamedKey,
  endPreviousToken,
  findNamedKey,
  insertNamedKey,
  type KeySettings,
  listNamedKeys,
  type NamedKey,
  replaceNamedToken,
  updateNamedKey,
} from './named-keys-store.ts';

/** Who changes the keys of an account: its holder, or the owner of a system account. */
export type KeyEditor = { readonly accountId: string; readonly actor: Actor };

/** The settings of a named key as somebody typed and ticked them. */
export type KeySettingsForm = RefreshTokenLimitsForm & {
  readonly name: string;
  readonly scopes: readonly string[];
};

/** The choices of the form: for how many hours the previous refresh token keeps working. */
export const overlapHours = [0, 1, 8, 24] as const;
export type OverlapHours = (typeof overlapHours)[number];

export const maxKeys = 20;
const maxNameLength = 60;

/** The scopes that accounts with these roles can use. Others are not offered, because the roles would refuse them. */
export function scopesFor(roles: readonly Role[], mode: 'test' | 'live'): readonly Scope[] {
  const isOperator = roles.includes('operator');
  const needs: Partial<Record<Scope, boolean>> = {
    channels: isOperator || roles.includes('provider'),
    deliveries: isOperator,
    // A colleague of the referrer needs it to open a referral to a restricted service.
    records: isOperator || roles.includes('referrer'),
    'reports:read': isOperator || roles.includes('provider') || roles.includes('manager'),
    simulator: mode === 'test',
  };
  return scopes.filter((scope) => needs[scope] ?? true);
}

/** Reads the form of a named key. @throws Problem `unprocessable` with everything that is wrong. */
export function readKeySettings(form: KeySettingsForm, availableScopes: readonly Scope[]): KeySettings {
  const name = form.name.trim();
  const keyScopes = availableScopes.filter((scope) => form.scopes.includes(scope));
  const parsed = parseRefreshTokenLimits(form);
  const errors: FieldError[] = [];
  if (name === '') errors.push({ pointer: '/name', message: 'Enter a name' });
  else if ([...name].length > maxNameLength)
    errors.push({ pointer: '/name', message: `must have at most ${maxNameLength} characters` });
  else if (!isPlainLine(name))
    errors.push({ pointer: '/name', message: 'must be one line, without invisible characters' });
  if (keyScopes.length === 0) errors.push({ pointer: '/scopes', message: 'Select what the key may do' });
  if ('errors' in parsed) errors.push(...parsed.errors);
  if (errors.length > 0 || 'errors' in parsed) throw new Problem(unprocessable, undefined, { errors });
  return { name, scopes: keyScopes, ...parsed.limits };
}

/**
 * Makes a key with a name.
 * @returns its id, and its refresh token, which is shown only once. @throws Problem `unprocessable` or `too-many-keys`.
 */
export async function createNamedKey(
  deps: TokenDeps,
  { accountId, actor }: KeyEditor,
  settings: KeySettings,
): Promise<{ id: string; refreshToken: string }> {
  const at = deps.clock.now();
  const id = newId(at.getTime());
  const { text: refreshToken, hash } = newNamedToken(deps);
  await inTransaction(deps.db, async (trx) => {
    await lockAccountRow(trx, accountId);
    const others = await listNamedKeys(trx, accountId, at);
    if (others.length >= maxKeys)
      throw new Problem(tooManyKeys, `Revoke one that is not used: there are ${maxKeys}.`);
    requireFreeName(settings.name, others);
    await insertNamedKey(trx, { ...settings, id, accountId, hash, at });
    await auditKey(trx, { at, accountId, actor, action: 'key.created', details: detailsOf(settings) });
  });
  return { id, refreshToken };
}

/**
 * Changes what a key may do, where it may be used from, and how long it may be idle. The change takes effect at once in every process,
 * and for the key's access tokens. @throws Problem `not-found` or `unprocessable`.
 */
export function changeNamedKey(
  deps: TokenDeps,
  editor: KeyEditor,
  id: string,
  settings: KeySettings,
): Promise<void> {
  return changeKey(deps, editor, id, async (trx, key, at) => {
    const all = await listNamedKeys(trx, editor.accountId, at);
    requireFreeName(
      settings.name,
      all.filter((other) => other.id !== key.id),
    );
    await updateNamedKey(trx, id, settings);
    await auditKey(trx, {
      at,
      ...editor,
      action: 'key.changed',
      details: { ...detailsOf(settings), before: detailsOf(key) },
    });
  });
}

/**
 * Gives a key a new refresh token. The previous one stops at once, or keeps working for some hours.
 * @param seenVersion the version of the key that the page showed: if two people do this at once, the second is refused.
 * @returns the new refresh token, which is shown only once. @throws Problem `not-found` or `key-changed`.
 */
export async function regenerateNamedKey(
  deps: TokenDeps,
  editor: KeyEditor,
  id: string,
  { seenVersion, hours }: { seenVersion: number; hours: OverlapHours },
): Promise<string> {
  const { text, hash } = newNamedToken(deps);
  await changeKey(deps, editor, id, async (trx, key, at) => {
    if (key.version !== seenVersion)
      throw new Problem(keyChanged, 'Check the key before you make another token.');
    const previousUntil = hours === 0 ? null : new Date(at.getTime() + hours * hourMs);
    await replaceNamedToken(trx, id, { hash, at, previousUntil });
    const details = { key: key.name, overlap_hours: hours };
    await auditKey(trx, { at, ...editor, action: 'key.regenerated', details });
  });
  return text;
}

/** Ends the overlap of a key: its refresh token before the present one stops at once. @throws Problem `not-found`. */
export function endOverlap(deps: TokenDeps, editor: KeyEditor, id: string): Promise<void> {
  return changeKey(deps, editor, id, async (trx, key, at) => {
    if (key.previousUntil === null) return;
    await endPreviousToken(trx, id);
    await auditKey(trx, { at, ...editor, action: 'key.overlap_ended', details: { key: key.name } });
  });
}

/** Ends a key for good, with its access tokens, in every process at once. @throws Problem `not-found`. */
export function revokeNamedKey(deps: TokenDeps, editor: KeyEditor, id: string): Promise<void> {
  return changeKey(deps, editor, id, async (trx, key, at) => {
    await deleteNamedKey(trx, id);
    await auditKey(trx, { at, ...editor, action: 'key.revoked', details: { key: key.name } });
  });
}

/** @throws Problem `not-found`. */
export async function requireNamedKey(deps: TokenDeps, accountId: string, id: string): Promise<NamedKey> {
  return requireById(id, (uuid) => findNamedKey(deps.db, accountId, uuid, deps.clock.now()));
}

/** Changes one key, while no other of the account changes. */
async function changeKey(
  deps: TokenDeps,
  { accountId }: KeyEditor,
  id: string,
  change: (trx: Trx, key: NamedKey, at: Date) => Promise<void>,
): Promise<void> {
  const at = deps.clock.now();
  await inTransaction(deps.db, async (trx) => {
    await lockAccountRow(trx, accountId);
    await change(trx, await requireNamedKey({ ...deps, db: trx }, accountId, id), at);
    await notify(trx, accountTopic, accountId);
  });
}

function newNamedToken(deps: TokenDeps): { text: string; hash: Buffer } {
  const text = newToken('refresh', deps.tokenServices.tag);
  return { text, hash: deps.secrets.hash('refresh token', text) };
}

/** Names that differ only in capitals would be mistaken for each other. */
function requireFreeName(name: string, others: readonly NamedKey[]): void {
  const isTaken = others.some((other) => other.name.toLowerCase() === name.toLowerCase());
  if (!isTaken) return;
  const errors = [{ pointer: '/name', message: 'Enter another name: there is a key with this one' }];
  throw new Problem(unprocessable, undefined, { errors });
}

function detailsOf({ name, scopes, networks, idleDays }: KeySettings) {
  return { key: name, scopes, networks, idle_days: idleDays };
}

type Entry = KeyEditor & { at: Date; action: AuditAction; details: Record<string, unknown> };

function auditKey(trx: Trx, { at, accountId, actor, action, details }: Entry): Promise<void> {
  return recordAudit(trx, { at, actor, action, subject: { type: 'account', id: accountId }, details });
}
