import type { Break } from './verify-audit.ts';

/** What is wrong with the chain, in a sentence or two that tell an operator where to look. */
export function describeBreak({ kind, position, entryId, at }: Break): string {
  const where = `Position ${position} of the audit chain`;
  const entry = `entry ${entryId} of ${at}`;
  switch (kind) {
    case 'entry-changed':
      return `${where}: ${entry} was changed after it was sealed.`;
    case 'entry-missing':
      return `${where}: entry ${entryId}, sealed at ${at}, was deleted.`;
    case 'link-missing':
      return `${where} is missing: at least one link was deleted.`;
    case 'link-foreign':
      return `${where} (${entry}) was not made with this site’s key from what stands there now: it was forged, or its entry and what follows were changed, or the site key is another.`;
    case 'entry-unsealed':
      return `There is an entry outside the chain: ${entry}. It was put there by other means than the site’s, or the site key is another so that nothing is sealed.`;
    case 'tail-cut':
      return `The end of the audit chain is missing, from position ${position} on: this machine had seen more of it at ${at}.`;
    case 'history-replaced':
      return `${where} is not the one that this machine had seen: the end of the chain was cut off there or before, and the chain went on.`;
    case 'head-unreadable':
      return 'The file audit-head.json in the data directory cannot be read, so that a missing end of the audit chain would not be noticed.';
  }
}
