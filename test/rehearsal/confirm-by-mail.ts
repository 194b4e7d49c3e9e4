import { expect } from 'vitest';
import { pageVisitor } from '../people/page-visitor.ts';
import type { rehearsalFixture } from './fixture.ts';
import { nextMail } from './mails.ts';

type Fixture = Awaited<ReturnType<typeof rehearsalFixture>>;

/** Presses the link in an email with a letter, as a person does who reads it, and no mail program. */
export async function confirmByMail(
  { mail, url }: Pick<Fixture, 'mail' | 'url'>,
  email: string,
  before: number,
): Promise<void> {
  const { raw, secure, path } = await nextMail(mail, email, before);
  expect([secure, raw.includes('filename=letter.pdf'), raw.includes('Okonkwo')]).toEqual([true, true, false]);
  const reader = pageVisitor(url);
  const thanks = await reader.submit(await reader.visit(path), path, {
    name: 'Rita Reader',
    role: 'Duty manager',
    // A service may also accept or decline by its link. A practice can only confirm.
    ...(path.startsWith('/answer/') && { answer: 'confirm' }),
  });
  expect(thanks.text).toMatch(/Thank you|Confirmed by/);
}
