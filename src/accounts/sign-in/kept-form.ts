import { Type } from 'typebox';
import { hourMs } from '../../platform/durations.ts';
import {
  type App,
  type CallerIdentity,
  page,
  type Request,
  requestCaller,
  signedIn,
  type UnsentForm,
} from '../../platform/http/index.ts';
import { isUuid, newId } from '../../platform/ids/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { defineProblem, Problem } from '../../platform/problem/index.ts';
import { isSecret } from '../../platform/secrets/index.ts';
import { findSessionAccountId } from '../model/sessions-store.ts';
import { nextSchema, pathOfThisSite } from './next-path.ts';
import { sessionSecretOf } from './session.ts';
import { deleteUnsentFormRow, findUnsentFormRow, insertUnsentForm } from './unsent-forms-store.ts';

// A form that arrives after its session has ended is given back on a page, to be sent again. Somebody else may sit at the computer
// by then, so it is sealed for its writer and for the address that it was sent to: nobody else can read it on the page or send it in their
// name, and it is never filled into the form of another referral.

const purpose = 'form kept for its sender';
const writerPurpose = 'writer of a form';

/** The hidden field of long forms with the encrypted account id of their writer, which outlives the session. */
const writerField = 'written_by';

export function encryptFormWriter({ secrets }: Pick<Platform, 'secrets'>, accountId: string): string {
  return secrets.seal(writerPurpose, writerField, accountId).toString('base64url');
}

const formOfSomebodyElse = defineProblem({
  type: 'form-of-somebody-else',
  status: 403,
  title: 'Somebody else opened this form',
});

/**
 * Refuses a form that names somebody else as its writer. One that was left open, or saves itself, would otherwise give what its
 * writer typed about a patient to the person who signed in after them at the same computer.
 */
export function refuseFormsOfOthers(app: App, deps: Pick<Platform, 'secrets'>): void {
  // Calls of the API run this hook too. It is not async, so that they do not wait for a promise.
  app.addHook('preHandler', (request, _reply, done) => {
    const caller = requestCaller(request);
    if (!caller || !hasWriter(request.body) || writerOf(deps, request.body) === caller.accountId)
      return done();
    done(
      new Problem(
        formOfSomebodyElse,
        'Nothing was saved or sent. Close the form. The person who opened it can sign in and fill it in again.',
      ),
    );
  });
}

/** @returns the sealed form; undefined if nobody can tell who its writer is. */
export async function keepForm(
  { db, secrets, settings }: Pick<Platform, 'db' | 'secrets' | 'settings'>,
  request: Request,
  form: string,
): Promise<string | undefined> {
  const secret = sessionSecretOf(request, settings);
  const isKnown = secret !== undefined && isSecret(secret);
  const writer =
    writerOf({ secrets }, request.body) ??
    (isKnown ? await findSessionAccountId(db, secrets.hash('session', secret)) : undefined);
  return writer && secrets.seal(purpose, contextOf(writer, request), form).toString('base64url');
}

function hasWriter(body: unknown): boolean {
  return typeof body === 'object' && body !== null && writerField in body;
}

function writerOf({ secrets }: Pick<Platform, 'secrets'>, body: unknown): string | undefined {
  const sealed = (body as Record<string, unknown> | undefined)?.[writerField];
  if (typeof sealed !== 'string') return undefined;
  try {
    return secrets.open(writerPurpose, writerField, Buffer.from(sealed, 'base64url'));
  } catch {
    return undefined;
  }
}

const contextOf = (accountId: string, { url }: Pick<Request, 'url'>) => `${accountId} ${url}`;

/** @returns the form; undefined if it was kept for another writer, or for another address. */
export function openKeptForm(
  { secrets }: Pick<Platform, 'secrets'>,
  { accountId }: CallerIdentity,
  request: Pick<Request, 'url'>,
  sealed: string,
): string | undefined {
  try {
    return secrets.open(purpose, contextOf(accountId, request), Buffer.from(sealed, 'base64url'));
  } catch {
    return undefined;
  }
}

const unsentPurpose = 'form to fill in again';
/** As long as the longest way to sign in takes: a forgotten password, a colleague who asks something in between. */
const unsentFormMs = hourMs;
/** So that nobody fills the database with forms that nobody sends. Nobody has more windows open with a form that they still want. */
const maxUnsentForms = 5;
/** Several times the longest text that any page takes. */
const maxUnsentBytes = 100_000;

/**
 * Stores a form that arrived more than 15 minutes after the sign-in that it needs. It is encrypted for its writer, and deleted when it is sent
 * again or discarded, when five later ones are stored, or after an hour.
 * @returns the id for the address of the page that shows it again.
 */
export async function storeUnsentForm(
  { db, secrets, clock }: Pick<Platform, 'db' | 'secrets' | 'clock'>,
  { accountId }: CallerIdentity,
  { action, fields, hadFile }: Pick<UnsentForm, 'action' | 'fields'> & { hadFile: boolean },
): Promise<Pick<UnsentForm, 'id' | 'notKept'>> {
  const now = clock.now();
  const id = newId(now.getTime());
  const notKept = hadFile ? 'file' : sizeOf(fields) > maxUnsentBytes ? 'too-long' : undefined;
  const kept = { action, fields: notKept ? {} : fields, notKept };
  const sealed = secrets.seal(unsentPurpose, `${accountId} ${id}`, JSON.stringify(kept));
  const row = { id, accountId, sealed, expiresAt: new Date(now.getTime() + unsentFormMs) };
  await insertUnsentForm(db, row, maxUnsentForms);
  return { id, notKept };
}

const sizeOf = (fields: UnsentForm['fields']) => Buffer.byteLength(JSON.stringify(fields));

/** @returns undefined if the form is somebody else’s, was sent or discarded, or was stored too long ago. */
export async function findUnsentForm(
  { db, secrets, clock }: Pick<Platform, 'db' | 'secrets' | 'clock'>,
  { accountId }: CallerIdentity,
  id: string,
): Promise<UnsentForm | undefined> {
  if (!isUuid(id)) return undefined;
  const sealed = await findUnsentFormRow(db, { id, accountId, now: clock.now() });
  if (!sealed) return undefined;
  const form = JSON.parse(secrets.open(unsentPurpose, `${accountId} ${id}`, sealed)) as UnsentForm;
  return { ...form, id };
}

export async function deleteUnsentForm(
  { db }: Pick<Platform, 'db'>,
  { accountId }: CallerIdentity,
  id: string,
): Promise<void> {
  if (isUuid(id)) await deleteUnsentFormRow(db, { id, accountId });
}

/** Where the banner above such a form sends its writer’s wish to discard it. */
export function discardFormRoute(app: App): void {
  const body = Type.Object({ next: nextSchema });
  // Every form that names a stored one deletes it before it gets to its route.
  app.post('/discard-form', { config: page(signedIn()), schema: { hide: true, body } }, (request, reply) =>
    reply.redirect(pathOfThisSite(request.body.next) ?? '/', 303),
  );
}
