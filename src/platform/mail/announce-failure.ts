import { describeFailure, listConnectionFailures } from '../connections/index.ts';
import type { Db } from '../database/index.ts';
import { type App, requestCaller } from '../http/index.ts';
import { describeError } from '../log/index.ts';
import type { Platform } from '../platform.ts';

/** Sets a header on the pages that an operator opens while the site can send no email; pages turn it into a banner. */
export function addMailFailureHeader(app: App, { db, clock, log }: Platform): void {
  app.addHook('preHandler', async (request, reply) => {
    const isOperator = requestCaller(request)?.roles.includes('operator') === true;
    if (!isOperator || !request.routeOptions.config.page) return;
    try {
      const heading = await mailFailureHeading(db, clock.now());
      if (heading !== undefined) reply.header('onward-mail-failure', heading);
    } catch (error) {
      log.warn({ error: describeError(error) }, 'the database cannot say whether the mail server works');
    }
  });
}

async function mailFailureHeading(db: Db, now: Date): Promise<string | undefined> {
  const failures = await listConnectionFailures(db, now);
  const failure = failures.find(({ connection }) => connection === 'mail-server');
  return failure && describeFailure(failure).heading;
}
