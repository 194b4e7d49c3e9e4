// Loaded before a site (`node --import`): its machine's clock is ahead by TEST_CLOCK_DAYS, and behind by as much after
// SIGUSR2. Timers and the monotonic clock continue as they do on a machine whose time was set.

const wrong = { ms: Number(process.env.TEST_CLOCK_DAYS) * 86_400_000 };
const RightDate = Date;

globalThis.Date = class WrongDate extends RightDate {
  constructor(...given: unknown[]) {
    if (given.length === 0) super(WrongDate.now());
    else super(...(given as [number]));
  }

  static override now(): number {
    return RightDate.now() + wrong.ms;
  }
} as DateConstructor;

process.on('SIGUSR2', () => {
  wrong.ms = -wrong.ms;
});
