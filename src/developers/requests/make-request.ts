import { actorOf, type Caller, checkNewAccount, listOperators } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { findOrganisationForAccount } from '../../library/index.ts';
import { type Db, inTransaction } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { canonicalEmail, mailPeople } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { type FieldError, Problem, unprocessable } from '../../platform/problem/index.ts';
import { reasonErrors } from '../../platform/reason.ts';
import { readReturnAddress } from '../../tokens/index.ts';
import { maxOpenRequests, type RequestContent } from './developer-request.ts';
import { insertRequest, lockAndCountOpen } from './requests-store.ts';

const forWhat = 'Say what it is for';

/** The fields of the form for a return address. */
export type AddressForm = { address: string; reason: string };

/** @throws Problem `unprocessable` in the words of the form. */
export async function requestReturnAddress(
  deps: Platform,
  caller: Caller,
  { address, reason }: AddressForm,
  ipAddress: string,
): Promise<void> {
  const parsed = readReturnAddress(address, deps.settings.mode);
  const errors = [
    ...('error' in parsed ? [{ pointer: '/address', message: parsed.error }] : []),
    ...reasonErrors(reason, { request: forWhat }),
  ];
  const content = { kind: 'return-address', address: 'error' in parsed ? '' : parsed.address } as const;
  await submitRequest(deps, caller, { content, reason, errors, ipAddress });
}

/** The fields of the form for an account. */
export type AccountForm = { name: string; email: string; role: string; organisation: string; reason: string };

/** @throws Problem `unprocessable` in the words of the form. */
export async function requestTestAccount(
  deps: Platform,
  caller: Caller,
  { name, email, role, organisation, reason }: AccountForm,
  ipAddress: string,
): Promise<void> {
  const errors: FieldError[] = [
    ...checkNewAccount({ name, email }),
    ...reasonErrors(reason, { request: forWhat }),
  ];
  const isProvider = role === 'provider';
  if (!isProvider && role !== 'referrer')
    errors.push({ pointer: '/role', message: 'Choose what the account is for' });
  if (role === 'referrer' && !caller.organisation)
    errors.push({
      pointer: '/role',
      message: 'Your own account has no organisation that a colleague could join',
    });
  const organizationId = isProvider ? await findOrganizationId(deps.db, organisation) : null;
  if (organizationId === undefined)
    errors.push({
      pointer: '/organisation',
      message: 'The library has no organisation with exactly this name',
    });
  const content = {
    kind: 'test-account',
    name,
    email: canonicalEmail(email),
    role: isProvider ? 'provider' : 'referrer',
    organizationId: organizationId ?? null,
  } as const;
  await submitRequest(deps, caller, { content, reason, errors, ipAddress });
}

async function findOrganizationId(db: Db, named: string): Promise<string | undefined> {
  if (named === '' || named.includes('\0')) return undefined;
  return (await findOrganisationForAccount(db, ['provider'], named))?.libraryOrganizationId;
}

/** Stores the request, and tells the operators by email. */
async function submitRequest(
  deps: Platform,
  caller: Caller,
  request: { content: RequestContent; reason: string; errors: readonly FieldError[]; ipAddress: string },
): Promise<void> {
  const { content, reason, errors, ipAddress } = request;
  if (errors.length > 0) throw new Problem(unprocessable, undefined, { errors });
  const at = deps.clock.now();
  const id = newId(at.getTime());
  await inTransaction(deps.db, async (trx) => {
    if ((await lockAndCountOpen(trx, caller.accountId)) >= maxOpenRequests)
      throw new Problem(unprocessable, `You have ${maxOpenRequests} requests that nobody has answered yet.`);
    await insertRequest(trx, { id, accountId: caller.accountId, reason, at, content });
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'developer_request.made',
      subject: { type: 'developer_request', id },
      details: { kind: content.kind },
    });
    const { siteName, baseUrl } = deps.settings;
    const paragraphs = [
      `${caller.name} asks for ${content.kind === 'return-address' ? 'a return address' : 'a second test account'} at ${siteName}.`,
      `Look at it, and grant or decline it: ${baseUrl}/operator/developer-requests`,
    ];
    const others = (await listOperators(trx)).filter((operator) => operator.id !== caller.accountId);
    await mailPeople(
      trx,
      deps,
      'site',
      ...others.map(({ email, name }) => ({
        to: [email],
        subject: 'A developer asks for something',
        paragraphs: [`Hello ${name},`, ...paragraphs],
      })),
    );
  });
}
