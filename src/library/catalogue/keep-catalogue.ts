import type { Db, Notices } from '../../platform/database/index.ts';
import { giveBackMemoryWhenIdle } from '../../platform/give-back-memory.ts';
import { oneForEach } from '../../platform/one-for-each.ts';
import { libraryChanged } from '../search/remembered-store.ts';
import type { Catalogue } from './catalogue.ts';
import { catchUp, type Filled, fillCatalogue, isWorn } from './fill-catalogue.ts';

/**
 * News that come in a row, as an import's do, are followed up together, and a worn catalogue is made anew after them. To
 * fill one of so many services takes memory that is worth giving back.
 */
const usual = { newsMs: 500, quietMs: 5000, manyServices: 10_000 };

/** The catalogue of a database in this process. */
export class Keeper {
  readonly #db: Db;
  readonly #limits: typeof usual;
  readonly #ending = new AbortController();
  #kept: Filled | undefined;
  /** A new one, to take the place of a worn one. */
  #fresh: Filled | undefined;
  #advancing: Promise<void> | undefined;
  #renewing: Promise<void> | undefined;
  #quiet: NodeJS.Timeout | undefined;
  #followUp: NodeJS.Timeout | undefined;

  constructor(db: Db, limits = usual) {
    this.#db = db;
    this.#limits = limits;
  }

  /** As the library was at this version, or later. */
  async at(version: number): Promise<Catalogue> {
    while (!this.#kept || this.#kept.sight.version < version) await this.#advance();
    return this.#kept.catalogue;
  }

  /** Takes in what has changed before anybody asks. */
  heedNews(): void {
    this.#followUp ??= setTimeout(() => {
      this.#followUp = undefined;
      this.#advance().catch(leaveToWhoeverAsks);
    }, this.#limits.newsMs).unref();
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    clearTimeout(this.#followUp);
    await Promise.allSettled([this.#advancing, this.#renewing]);
    clearTimeout(this.#quiet);
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
    const { signal } = this.#ending;
    const before = this.#kept?.catalogue;
    this.#kept = (from && (await catchUp(this.#db, from))) ?? (await fillCatalogue(this.#db, signal));
    const { catalogue } = this.#kept;
    if (catalogue !== before && catalogue.size >= this.#limits.manyServices) giveBackMemoryWhenIdle();
    clearTimeout(this.#quiet);
    if (!isWorn(catalogue)) return;
    this.#quiet = setTimeout(() => this.#renew(), this.#limits.quietMs).unref();
  }

  /** Meanwhile the worn one is read, and kept up to date. */
  #renew(): void {
    this.#renewing ??= fillCatalogue(this.#db, this.#ending.signal)
      .then(async (fresh) => {
        this.#fresh = fresh;
        // What is under way goes on from the worn one.
        await this.#advancing;
        await this.#advance();
      })
      .catch(leaveToWhoeverAsks)
      .finally(() => {
        this.#renewing = undefined;
      });
  }
}

/** What fails is tried again by the next search, which is told why. */
const leaveToWhoeverAsks = () => undefined;

const keeperOf = oneForEach((db: Db) => new Keeper(db));

/** The catalogue, which has all changes up to this version of the library. A transaction has one of what it sees. */
export async function catalogueAt(db: Db, version: number): Promise<Catalogue> {
  if (db.isTransaction) return (await fillCatalogue(db)).catalogue;
  return keeperOf(db).at(version);
}

/** The catalogue of a site: `fill` brings it into memory before anybody asks, beside whatever else goes on. */
export function siteCatalogue(db: Db, notices: Notices): { fill(): void; stop(): Promise<void> } {
  const keeper = keeperOf(db);
  return {
    fill() {
      notices.on(libraryChanged, () => keeper.heedNews());
      keeper.at(0).catch(leaveToWhoeverAsks);
    },
    stop: () => keeper.stop(),
  };
}
