import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Loaded by `node --import`: compiled code is kept between starts, which halves the time to ready. It is JavaScript and comes
// before main.ts, so that of main.ts, too, what is kept is used, and Node need not load its TypeScript compiler. It is kept
// beside the code and is as safe as that is; in the system's folder for temporary files another user could put code there.
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'onward'));
