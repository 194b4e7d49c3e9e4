import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/**
 * Keeps compiled code for the next start, which saves about a second (`docs/performance.md`). The cache is beside the code: in the system's
 * folder for temporary files another user could put code into it.
 */
export function keepCompiledCode(): void {
  enableCompileCache(join(import.meta.dirname, '..', '..', '..', 'node_modules', '.cache', 'onward'));
}
