import { page, signedIn, visitor } from '../../platform/http/index.ts';
import type { Settings } from '../../platform/settings/index.ts';

/** The `config` of a page about the library: open to everyone if the library is public. */
export function libraryPageConfig({ libraryPublic }: Settings) {
  return page(libraryPublic ? visitor : signedIn());
}
