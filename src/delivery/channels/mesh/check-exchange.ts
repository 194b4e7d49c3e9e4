import type { Platform } from '../../../platform/platform.ts';
import { classify } from './classify.ts';
import { greetExchange } from './greet-exchange.ts';
import { countNotUnderstood } from './messages-store.ts';

/** Whether the mailbox opens, for `site check`, and whether something is in it that the site cannot see to by itself. */
export async function checkExchange(deps: Platform): Promise<{ found: string; wrong?: string }> {
  const { mode, meshUrl } = deps.settings;
  if (mode === 'test' || meshUrl === undefined) return { found: 'no mailbox at the NHS message exchange' };
  try {
    await greetExchange(deps);
  } catch (error) {
    const failure = classify(error);
    if (!failure) throw error;
    return {
      found: failure.detail,
      wrong: 'See docs/mesh.md: address, mailbox, password, key and certificates.',
    };
  }
  const count = await countNotUnderstood(deps.db);
  if (count === 0) return { found: 'the mailbox at the NHS message exchange opens' };
  return {
    found: `${count} messages came from the NHS message exchange that this site does not understand`,
    wrong: 'Look at them at /operator/loose-ends: somebody may wait for an answer.',
  };
}
