import { Type } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import { type App, listOf, pageQuery, problemAnswers, withToken } from '../platform/http/index.ts';
import { actionRoutes } from './action-routes.ts';
import { attachmentRoutes } from './attachment-routes.ts';
import { createRoutes } from './create-routes.ts';
import type { ReferralDeps } from './deps.ts';
import { draftRoutes } from './draft-routes.ts';
import { listRoutes } from './list-routes.ts';
import { messageRoutes } from './message-routes.ts';
import { closed } from './new-referral-schema.ts';
import { openingRoutes } from './opening-routes.ts';
import { presentHistoryLine } from './present-parts.ts';
import { readReferral } from './read-referral.ts';
import { recordRoutes } from './records/record-routes.ts';
import { idParams, noToken, notYours, sendReferral, tags } from './route-parts.ts';
import { historySchema, referralSchema } from './schemas.ts';
import { seenToRoute } from './seen-to-route.ts';

export function referralRoutes(app: App, deps: ReferralDeps): void {
  app.addSchema(referralSchema);
  createRoutes(app, deps);
  listRoutes(app, deps);
  readRoutes(app, deps);
  draftRoutes(app, deps);
  seenToRoute(app, deps);
  actionRoutes(app, deps);
  messageRoutes(app, deps);
  attachmentRoutes(app, deps);
  openingRoutes(app, deps);
  recordRoutes(app, deps);
}

const versionCursor = Type.String({
  pattern: '^[0-9]{1,9}$',
  description: 'The next_cursor of the last answer.',
});

function readRoutes(app: App, deps: ReferralDeps): void {
  const refusals = problemAnswers({ 401: noToken, 404: notYours });
  app.get(
    '/api/referrals/:id',
    {
      config: { access: withToken() },
      schema: {
        operationId: 'getReferral',
        tags,
        summary: 'Read a referral',
        description:
          'One referral as it is now, with what has become of its deliveries. Its `ETag` is what the actions want as `If-Match`.',
        params: idParams,
        response: { 200: Type.Ref('Referral'), ...refusals },
      },
    },
    async (request, reply) => {
      const { presented } = await readReferral(deps, requireCaller(request), request.params.id, request.ip);
      return sendReferral(reply, presented);
    },
  );

  app.get(
    '/api/referrals/:id/history',
    {
      config: { access: withToken() },
      schema: {
        operationId: 'getReferralHistory',
        tags,
        summary: 'Read a referral’s history',
        description:
          'Every change of state: when, by whom, from what to what, and why, oldest first. Nothing in it is ever changed.',
        params: idParams,
        querystring: Type.Object({ ...pageQuery, cursor: Type.Optional(versionCursor) }, closed),
        response: {
          200: listOf(historySchema),
          ...problemAnswers({ 400: 'A parameter is not known or not of the right form.' }),
          ...refusals,
        },
      },
    },
    async (request) => {
      const { limit = 50, cursor = '0' } = request.query;
      const { history } = await readReferral(deps, requireCaller(request), request.params.id, request.ip);
      const later = history.filter(({ version }) => version > Number(cursor));
      const lines = later.slice(0, limit);
      return {
        items: lines.map(presentHistoryLine),
        next_cursor: later.length > limit ? String(lines.at(-1)!.version) : null,
      };
    },
  );
}
