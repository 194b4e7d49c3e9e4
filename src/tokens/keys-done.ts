import { justDone } from '../platform/html/index.ts';

/** What the keys page says after one of its forms. */
export const keysDone = justDone({
  regenerated: 'These are your new keys. The ones you had before have stopped working.',
  guards: 'How your refresh token may be used was changed.',
});
