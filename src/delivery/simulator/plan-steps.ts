import type { Trx } from '../../platform/database/index.ts';
import { addKeyedJob } from '../../platform/jobs/index.ts';
import type { Platform } from '../../platform/platform.ts';
import type { RecordChange, ReferralChange, ReferralListener } from '../../referrals/index.ts';
import { isNew } from '../plan-deliveries.ts';
import type { NewsAct } from './act.ts';
import { deleteStory, insertSteps, insertStory, listMessages, type NewStep } from './store.ts';
import { isByClock, type Story, storyOf } from './stories.ts';

type Listener = Pick<ReferralListener, 'onChange' | 'onRecord'>;

/** Hears of every change after `listener`, and writes down what the story of a referral has in store. A live site has no stories. */
export function withSimulator<T extends Listener>({ settings }: Pick<Platform, 'settings'>, listener: T): T {
  if (settings.mode !== 'test') return listener;
  return {
    ...listener,
    async onChange(trx: Trx, changes: readonly ReferralChange[]) {
      await listener.onChange(trx, changes);
      for (const change of changes) {
        const story = storyOf(change.referral);
        if (story) await planSteps(trx, story, change);
      }
    },
    async onRecord(trx: Trx, change: RecordChange) {
      await listener.onRecord(trx, change);
      if (change.is === 'erased') await deleteStory(trx, change.referral.id);
    },
  };
}

async function planSteps(trx: Trx, story: Story, change: ReferralChange): Promise<void> {
  const { referral, at } = change;
  const begins = isNew(change);
  if (begins) await insertStory(trx, referral.id, story.name);
  const byService = begins ? story.service : [];
  const messages = await listMessages(trx, referral);
  const ofMessages = messages.flatMap(({ id, leg }) =>
    newsOf(story, leg).map((step) => ({ ...step, deliveryId: id })),
  );
  const byClock = isByClock(story, referral);
  const steps = [...byService, ...ofMessages].map(
    ({ afterHours, ...step }): NewStep => ({
      ...step,
      dueAt: new Date(at.getTime() + (byClock ? afterHours * 3_600_000 : 0)),
    }),
  );
  if (steps.length === 0) return;
  await insertSteps(trx, referral.id, steps);
  await addKeyedJob(
    trx,
    'simulate',
    { referral_id: referral.id },
    { key: jobKey(referral.id), inSeconds: 0 },
  );
}

export function jobKey(referralId: string): string {
  return `simulate ${referralId}`;
}

function newsOf(story: Story, leg: 'service' | 'gp_practice'): { afterHours: number; act: NewsAct }[] {
  if (story.sending === 'times-out') return [{ afterHours: 6, act: { news: 'received' } }];
  if (leg === 'service' || !story.practice) return [];
  const news = {
    afterHours: 1,
    act: { news: story.practice === 'wrong-practice' ? 'failed' : 'acknowledged' },
  } as const;
  return story.practice === 'confirms-twice' ? [news, news] : [news];
}
