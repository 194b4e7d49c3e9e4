import type { NewReferral, Onward } from '../index.ts';
import { wait } from '../wait.ts';
import { type Command, print, say, UsageError } from './terminal.ts';

/** A story that plays at once is over by then; another waits for its clock to be moved. */
const watchedForMs = 20_000;

/** Refers a made-up person whose last name picks the story, and shows what is played. Never on a live site. */
export const trigger: Command = async (onward, [story], { service }) => {
  if (!story) throw new UsageError('Name a story, such as: trigger Completed');
  const { site } = await onward.whoAmI();
  if (site.mode !== 'test') throw new UsageError(`${site.name} is a live site: nobody is made up there.`);
  await checkStory(onward, story);
  const made = await onward.referrals.create(madeUp(story, service ?? (await anyService(onward))));
  print(`${made.reference}  ${made.id}`);
  await watch(onward, made.id);
  const { status } = await onward.referrals.get(made.id);
  print(`The referral is ${status}.`);
};

/** A referral without a story would wait for a service that nobody plays. */
async function checkStory(onward: Onward, story: string): Promise<void> {
  const { body } = await onward.call('listStories');
  const names = body.items.map(({ name }) => name);
  if (names.some((name) => simplify(name) === simplify(story))) return;
  throw new Error(`There is no story ${story}. There are: ${names.join(', ')}`);
}

/** As the site compares names. */
const simplify = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '-');

async function anyService(onward: Onward): Promise<string> {
  const { contents } = await onward.services.find({ accepting: true, per_page: 1 });
  if (!contents[0]) throw new UsageError('The library has no service that accepts referrals.');
  return contents[0].id;
}

function madeUp(story: string, serviceId: string): NewReferral {
  const reason = 'A made-up person of a test site.';
  return {
    service_id: serviceId,
    patient: {
      given_name: 'Test',
      family_name: story,
      birth_date: '1950-01-01',
      address: { lines: ['1 Test Street'], postcode: 'ZT1 3GH' },
    },
    reasons: [{ text: reason }],
    consent: { referral: true, share_with_gp: true },
    allow_duplicate: true,
    fit_override: { reason },
  };
}

/** Prints each step as it is played, until none is left or the next waits for the clock. */
async function watch(onward: Onward, id: string): Promise<void> {
  const endsAt = Date.now() + watchedForMs;
  let shown = 0;
  for (;;) {
    const { body } = await onward.call('listSimulations');
    const played = body.items.find((each) => each.referral_id === id);
    if (!played) return say('The site plays nothing for this referral.');
    for (const { at, what } of played.done.slice(shown)) print(`${at}  ${what}`);
    shown = played.done.length;
    const [next] = played.next;
    const isOnClock = next !== undefined && Date.parse(next.at) > endsAt;
    if (isOnClock)
      say(`Next, at ${next.at}: ${next.what}. Or now: call moveTimeOn id=${id} --body '{"by":"next"}'`);
    if (next === undefined || isOnClock || Date.now() > endsAt) return;
    await wait(500);
  }
}
