import type { Db } from '../../platform/database/index.ts';
import type { Catalogue } from './catalogue.ts';
import { catchUp, type Filled, fillCatalogue, isWorn } from './fill-catalogue.ts';

/** The catalogue of a database in this process. */
class Keeper {
  readonly #db: Db;
  readonly #ending = new AbortController();
  #kept: Filled | undefined;
  /** A new one, to take the place of a worn one. */
  #fresh: Filled | undefined;
  #advancing: Promise<void> | undefined;
  #renewing: Promise<void> | undefined;

  constructor(db: Db) {
    this.#db = db;
  }

  /** As the library was at this version, or later. */
  async at(version: number): Promise<Catalogue> {
    while (!this.#kept || this.#kept.sight.version < version) await this.#advance();
    return this.#kept.catalogue;
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await Promise.allSettled([this.#advancing, this.#renewing]);
  }

  /** One at a time, for all who wait. */
  #advance(): Promise<void> {
    this.#advancing ??= this.#goOn().finally(() => {
      this.#advancing = undefined;
    });
    return this.#advancing;
  }

  async #goOn(): Promise<void> {
    const from = this.#fresh ?? this.#kept;
    this.#fresh = undefined;
    this.#kept = from ? await catchUp(this.#db, from) : await fillCatalogue(this.#db, this.#ending.signal);
    if (isWorn(this.#kept.catalogue)) this.#renew();
  }

  /** Meanwhile the worn one is read, and kept up to date. */
  #renew(): void {
    this.#renewing ??= fillCatalogue(this.#db, this.#ending.signal)
      .then((fresh) => {
        this.#fresh = fresh;
        return this.#advance();
      })
      // The worn one is as right as before, and the next change brings another attempt.
      .catch(() => undefined)
      .finally(() => {
        this.#renewing = undefined;
      });
  }
}

const keepers = new WeakMap<Db, Keeper>();

function keeperOf(db: Db): Keeper {
  const keeper = keepers.get(db) ?? new Keeper(db);
  keepers.set(db, keeper);
  return keeper;
}

/** The catalogue, which has all changes up to this version of the library. A transaction has one of what it sees. */
export async function catalogueAt(db: Db, version: number): Promise<Catalogue> {
  if (db.isTransaction) return (await fillCatalogue(db)).catalogue;
  return keeperOf(db).at(version);
}

/** The catalogue of a site: `fill` brings it into memory before anybody asks, beside whatever else goes on. */
export function siteCatalogue(db: Db): { fill(): void; stop(): Promise<void> } {
  const keeper = keeperOf(db);
  return {
    // Where it fails, whoever searches tries again, and is told.
    fill: () => void keeper.at(0).catch(() => undefined),
    stop: () => keeper.stop(),
  };
}
