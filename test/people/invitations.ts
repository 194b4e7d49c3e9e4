import { expect } from 'vitest';
import type { Invitation } from '../../src/accounts/people/create-account.ts';
import { inviteAccount } from '../../src/accounts/people/invite-account.ts';
import { siteActor } from '../../src/audit/index.ts';
import { newId } from '../../src/platform/ids/index.ts';
import { Problem } from '../../src/platform/problem/index.ts';
import type { TestApp } from '../app/make-app.ts';
import { linkIn, mailsTo } from '../network/mailbox.ts';

/** Invites somebody. @returns the person and their link. */
export async function anInvitation(
  site: TestApp,
  given: Partial<Invitation> = {},
): Promise<{ email: string; link: string }> {
  const email = `${newId()}@example.org`;
  await inviteAccount(site.deps, siteActor, {
    email,
    name: 'Asha Patel',
    roles: ['referrer'],
    organisation: { name: 'Infirmary Lane Surgery' },
    hasApiAccess: false,
    ...given,
  });
  return { email, link: linkIn((await mailsTo(site, email))[0]) };
}

/** The problem type with which an action is refused; undefined where it succeeds. */
export async function refusalOf(action: Promise<unknown>): Promise<string | undefined> {
  return action.then(
    () => undefined,
    (error) => {
      expect(error).toBeInstanceOf(Problem);
      return (error as Problem).kind.type;
    },
  );
}
