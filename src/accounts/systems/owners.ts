import { type Actor, recordAudit } from '../../audit/index.ts';
import { notify, type Trx } from '../../platform/database/index.ts';
import { isUuid } from '../../platform/ids/index.ts';
import { mailPeople } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { notFound, Problem, unprocessable } from '../../platform/problem/index.ts';
import { contactOf } from '../../platform/settings/index.ts';
import { lockAccount } from '../model/accounts-store.ts';
import { accountTopic, changeAccount } from '../model/change-account.ts';
import { listColleagues } from '../model/organisations/organisations-store.ts';
import { mailOperators, tellOtherOperators } from '../model/security-emails.ts';
import {
  findSystem,
  listPossibleOwners,
  listSystemsNoLongerAllowed,
  type PossibleOwner,
  type System,
  updateOwner,
} from './systems-store.ts';

// Who looks after a system. The owner makes its keys, so a member can own a system only if they have its rights
// themselves. When an owner leaves, the system keeps working, and somebody else becomes its owner.

/**
 * Somebody else looks after a system from now on. Its keys stay as they are.
 * @throws Problem `not-found`, `unprocessable` for somebody who may not own it.
 */
export async function transferSystem(
  deps: Platform,
  actor: Actor,
  id: string,
  ownerId: string,
  reason?: string,
): Promise<void> {
  await changeAccount(
    deps,
    actor,
    { id },
    {
      action: 'system.handed_on',
      details: ({ ownerId: from }) => ({ from, to: ownerId, reason }),
      async make(trx, account) {
        if (!account.isSystem) throw new Problem(notFound);
        if (account.ownerId === ownerId) return { changed: false };
        const system = (await findSystem(trx, id))!;
        const owner = await requireOwner(trx, ownerId, system);
        await updateOwner(trx, id, owner.id);
        await tellOfOwner(trx, deps, actor, system, owner);
        return { changed: true };
      },
    },
  );
}

/**
 * Call it after a change of somebody’s account. Systems that they may not look after any more go to the member of the organisation
 * who has been here longest and may do what the system may; if there is none, operators are asked to name somebody.
 */
export async function reassignSystemsOf(
  trx: Trx,
  deps: Platform,
  actor: Actor,
  formerOwner: { readonly id: string; readonly name: string },
): Promise<void> {
  for (const system of await listSystemsNoLongerAllowed(trx, formerOwner.id)) {
    const next = (await listPossibleOwners(trx, system)).find(({ isMember }) => isMember);
    await updateOwner(trx, system.id, next?.id ?? null);
    await recordAudit(trx, {
      at: deps.clock.now(),
      actor,
      action: 'system.handed_on',
      subject: { type: 'account', id: system.id },
      details: { from: formerOwner.id, to: next?.id ?? null, because: 'the owner left' },
    });
    await notify(trx, accountTopic, system.id);
    if (next) await tellOfOwner(trx, deps, actor, system, next);
    else await askOperators(trx, deps, system, formerOwner.name);
  }
}

/** @throws Problem `unprocessable` */
export async function requireOwner(
  trx: Trx,
  ownerId: string,
  of: Pick<System, 'organisationId' | 'roles'>,
  pointer = '/owner',
): Promise<PossibleOwner> {
  // Locked, so that nobody becomes the owner at the moment of leaving.
  const locked = isUuid(ownerId) ? await lockAccount(trx, ownerId) : undefined;
  const owner = locked && (await listPossibleOwners(trx, of)).find(({ id }) => id === ownerId);
  if (owner) return owner;
  const errors = [
    { pointer, message: 'The owner must be an operator, or a member who may do what the system may' },
  ];
  throw new Problem(unprocessable, undefined, { errors });
}

/**
 * Tells a new owner and the other operators; and the organisation’s people, where an outsider can now make keys that read their
 * referrals.
 */
export async function tellOfOwner(
  trx: Trx,
  deps: Platform,
  actor: Actor,
  system: System,
  owner: PossibleOwner,
): Promise<void> {
  const { baseUrl } = deps.settings;
  const about = `System: ${system.name}\nOrganisation: ${system.organisation}\nRoles: ${system.roles.join(', ')}`;
  const what = 'You own a system account';
  await mailPeople(trx, deps, 'site', {
    to: [owner.email],
    subject: what,
    paragraphs: [
      `Hello ${owner.name},`,
      'You own a system account now. It is not a person: a client system calls with its keys, which you can make, change and revoke.',
      about,
      `See it here:\n\n${baseUrl}/system-accounts/${system.id}`,
      `If that is wrong, ask ${contactOf(deps.settings)}.`,
    ],
  });
  if (actor.id !== undefined)
    await tellOtherOperators(
      trx,
      deps,
      actor,
      { id: system.id, name: system.name, email: `of ${system.organisation}` },
      { what: 'made somebody the owner of a system', lines: [`Owner: ${owner.name}, ${owner.email}`] },
    );
  if (owner.isMember) return;
  const colleagues = await listColleagues(trx, system.organisationId);
  if (colleagues.length > 0)
    await mailPeople(trx, deps, 'site', {
      to: colleagues.map(({ email }) => email),
      subject: 'An operator owns a system account of your organisation',
      paragraphs: [
        `${owner.name}, an operator, owns a system account of ${system.organisation}. With its keys, a client system can do what its roles allow.`,
        about,
        `If you do not know why, ask ${contactOf(deps.settings)}.`,
      ],
    });
}

async function askOperators(trx: Trx, deps: Platform, system: System, formerOwner: string): Promise<void> {
  await mailOperators(trx, deps, 'site', {
    subject: 'A system account has no owner',
    paragraphs: [
      `${formerOwner} looked after a system account and no longer can. Nobody else in its organisation has the rights that it has.`,
      `System: ${system.name}\nOrganisation: ${system.organisation}`,
      'It still works. Name a new owner for it and its keys:',
      `${deps.settings.baseUrl}/operator/accounts/${system.id}/owner`,
    ],
  });
}
