import { expect } from 'vitest';
import { pageVisitor } from '../people/page-visitor.ts';
import { nextMail } from './mails.ts';
import type { rehearsalStage } from './stage.ts';

type Stage = Awaited<ReturnType<typeof rehearsalStage>>;

/** Presses the link in an email with a letter, as a person does who reads it, and no mail program. */
export async function confirmByMail(
  { mail, url }: Pick<Stage, 'mail' | 'url'>,
  email: string,
  before: number,
): Promise<void> {
  const { raw, secure, path } = await nextMail(mail, email, before);
  expect([secure, raw.includes('filename=letter.pdf'), raw.includes('Okonkwo')]).toEqual([true, true, false]);
  const reader = pageVisitor(url);
  const thanks = await reader.submit(await reader.visit(path), path, {});
  expect(thanks.text).toContain('Thank you');
}
