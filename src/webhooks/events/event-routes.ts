import { Type } from 'typebox';
import { requireCaller } from '../../accounts/index.ts';
import {
  type App,
  describePattern,
  listOf,
  noOtherFields,
  noToken,
  problemAnswers,
  splitNames,
  withToken,
} from '../../platform/http/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { eventTypeShape, eventTypes } from '../model/event.ts';
import { eventSchema } from './event-schemas.ts';
import { eventsGoneAnswer, listOwnEvents } from './list-events.ts';

const eventId = (description: string) => Type.Optional(Type.String({ format: 'uuid', description }));
const querystring = Type.Object(
  {
    after: eventId('The id of the last event that you have. Without it, you get events from the oldest on.'),
    cursor: eventId('The next_cursor of the last answer; the same as `after`.'),
    // More types will be added: a client may ask for a type that this version of the site does not have yet.
    type: Type.Optional(
      Type.Array(
        Type.String({
          maxLength: 1000,
          pattern: describePattern(
            `^${eventTypeShape}(,${eventTypeShape})*$`,
            'must be types of event such as referral.accepted, with commas between them',
          ),
        }),
        {
          maxItems: 20,
          description: `Events of one type alone, or of several, repeated or separated by commas: ${eventTypes.map(({ type }) => type).join(', ')}. A type that does not exist has no events.`,
        },
      ),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 500,
        description: 'The most items to return. The default is 100.',
      }),
    ),
  },
  noOtherFields,
);

export function eventRoutes(app: App, deps: Platform): void {
  app.addSchema(eventSchema);
  app.get(
    '/api/events',
    {
      config: { access: withToken(), scope: 'webhooks' },
      schema: {
        operationId: 'listEvents',
        tags: ['Webhooks'],
        summary: 'Read what happened',
        description:
          'Events of the last 30 days about the referrals that you may see, and about the library, oldest first. Keep the id of the last one and ask for what comes `after` it: nothing is left out and nothing comes twice, however often you ask. An event says that something happened, never a detail: read that from its `href`.',
        querystring,
        response: {
          200: Type.Object({
            ...listOf(Type.Ref('Event')).properties,
            latest_id: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
              description:
                'The id of the newest event that you may see, of any type. To begin with what happens from now on, keep this id and ask for what comes after it.',
            }),
          }),
          ...problemAnswers({
            400: 'A parameter is not known, not of the right form, or there is no such event.',
            401: noToken,
            410: eventsGoneAnswer,
          }),
        },
      },
    },
    async (request) => {
      const { after, cursor, type, limit = 100 } = request.query;
      const page = { after: cursor ?? after, types: splitNames(type), limit };
      return await listOwnEvents(deps, requireCaller(request), page);
    },
  );
}
