import type { Caller } from '../accounts/index.ts';
import { type App, page, requestCaller, visitor } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import {
  countNeedingOperators,
  countOverdue,
  countUnanswered,
  countWaitingForStaff,
  summariseWaiting,
  todayIn,
} from '../referrals/index.ts';

/** Nobody needs to know how many more there are. */
const maxCounted = 100;

/** The first page: what this site is, and links to what the reader can do next. */
export function homePages(app: App, { pages, settings, db, clock }: WebPlatform): void {
  app.get('/', { config: page(visitor) }, async (request, reply) => {
    const now = clock.now();
    const caller = requestCaller(request) as Caller | undefined;
    const roles = caller?.roles ?? [];
    const answersFor = caller?.organisation?.libraryOrganizationId;
    return pages.send(request, reply, 'home/templates/home.njk', {
      isReferrer: roles.includes('referrer'),
      isProvider: roles.includes('provider'),
      unanswered: roles.includes('provider') && answersFor ? await countUnanswered(db, answersFor) : 0,
      overdue:
        roles.includes('provider') && answersFor
          ? await countOverdue(db, answersFor, { now, today: todayIn(now) })
          : 0,
      needingOperators: roles.includes('operator') ? await countNeedingOperators(db) : 0,
      needingStaff:
        caller && roles.includes('provider')
          ? await countWaitingForStaff(db, caller, { max: maxCounted, today: todayIn(now) })
          : 0,
      referrerSummary:
        caller && roles.includes('referrer') ? await summariseWaiting(db, caller, todayIn(now)) : undefined,
      isOperator: roles.includes('operator'),
      libraryPublic: settings.libraryPublic,
    });
  });
}
