import { Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import {
  type App,
  listOf,
  momentSchema,
  noOtherFields,
  noToken,
  problemAnswers,
  withToken,
} from '../../../platform/http/index.ts';
import { referralStatuses } from '../../../referrals/index.ts';
import { laterFirstName, stories } from '../stories.ts';
import { listSimulations } from './list-simulations.ts';
import { moveOn } from './move-on.ts';
import type { SimulatorDeps } from './simulate.ts';
import { timeSpanSchema } from './time-spans.ts';

const tags = ['Simulator'];
const what = Type.String({ description: 'What, in plain words.' });

const simulationSchema = Type.Object(
  {
    referral_id: Type.String({ format: 'uuid' }),
    reference: Type.String(),
    status: Type.Enum([...referralStatuses], {
      title: 'ReferralStatus',
      description: 'How the referral stands.',
    }),
    story: Type.String({ description: 'The name that picked the story.' }),
    simulated: Type.Literal(true),
    moved_on_seconds: Type.Integer({
      description: 'How long the referral’s time was moved on, all together.',
    }),
    next: Type.Array(Type.Object({ at: momentSchema('When, if nobody moves the time on.'), what }), {
      description: 'What is to come, the nearest first, as far as it is known by now.',
    }),
    done: Type.Array(
      Type.Object({
        at: momentSchema('When it really happened.'),
        what,
        undone_because: Type.Union([Type.String(), Type.Null()], {
          description: 'Why nothing came of it, such as that somebody had answered already.',
        }),
      }),
      { description: 'What the simulator has done, the oldest first.' },
    ),
  },
  { title: 'Simulation' },
);

const storySchema = Type.Object(
  {
    name: Type.String({ description: 'The last name of the patient that picks it.' }),
    description: Type.String({ description: 'What happens, in plain words.' }),
    on_the_clock: Type.Boolean({
      description: 'It never happens at once, but as time is moved on, whatever the first name is.',
    }),
  },
  {
    title: 'Story',
    examples: [{ name: 'Accepted', description: 'The service accepts the referral.', on_the_clock: false }],
  },
);

/** For client systems of a test site: what the simulator will do, and moving time on. */
export function simulatorRoutes(app: App, deps: SimulatorDeps): void {
  simulationsRoute(app, deps);
  storiesRoute(app);
  moveOnRoute(app, deps);
}

function simulationsRoute(app: App, deps: SimulatorDeps): void {
  const querystring = Type.Object(
    {
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 100,
          description: 'The most items to return. The default is 25.',
        }),
      ),
      cursor: Type.Optional(
        Type.String({ maxLength: 100, description: 'The next_cursor of the last answer.' }),
      ),
    },
    noOtherFields,
  );
  app.get(
    '/api/simulator',
    {
      config: { access: withToken(), scope: 'simulator' },
      schema: {
        operationId: 'listSimulations',
        tags,
        summary: 'See what will happen next',
        description:
          'Test sites only. The referrals that you may see whose patient’s last name picked a story, such as `Completed` or `Rejected-No-Capacity`, newest first: what the simulator has done in the place of the service and the GP practice, and what is to come. `GET /api/simulator/stories` lists the names.',
        querystring,
        response: {
          200: listOf(simulationSchema),
          ...problemAnswers({
            400: 'A parameter is not known or not of the right form.',
            401: noToken,
          }),
        },
      },
    },
    async (request) => {
      const { limit = 25, cursor } = request.query;
      return await listSimulations(deps, requireCaller(request), { limit, cursor });
    },
  );
}

function storiesRoute(app: App): void {
  app.get(
    '/api/simulator/stories',
    {
      config: { access: withToken(), scope: 'simulator' },
      schema: {
        operationId: 'listStories',
        tags,
        summary: 'See which stories there are',
        description: `Test sites only. Refer a made-up person whose last name is the name of a story, and the simulator plays it: at once, or with the first name \`${laterFirstName}\` as time is moved on. A service whose name ends in one, such as “Walks (Accepted)”, plays it for everybody who is referred to it.`,
        response: {
          200: listOf(storySchema),
          ...problemAnswers({ 401: noToken }),
        },
      },
    },
    async () => ({
      items: stories.map(({ name, description, waitsForClock = false }) => ({
        name,
        description,
        on_the_clock: waitsForClock,
      })),
      next_cursor: null,
    }),
  );
}

function moveOnRoute(app: App, deps: SimulatorDeps): void {
  app.post(
    '/api/simulator/:id/move-on',
    {
      config: { access: withToken(), scope: 'simulator' },
      schema: {
        operationId: 'moveTimeOn',
        tags,
        summary: 'Move the time on',
        description:
          'Test sites only. Brings all that is to come for one referral nearer: what its story has in store, the operator’s warnings of messages that nobody answered, the reminder to the service and the automatic rejection, and the emails that nobody has opened an urgent referral or read a message. What is then due happens before the answer, in its order. Times that are written down are those at which it really happened.',
        params: Type.Object({ id: Type.String({ maxLength: 100, description: 'The id of a referral.' }) }),
        body: Type.Object(
          {
            by: timeSpanSchema,
          },
          { additionalProperties: false, examples: [{ by: 'next' }] },
        ),
        response: {
          200: simulationSchema,
          ...problemAnswers({
            400: 'The body does not have the right form.',
            401: noToken,
            404: 'There is no such referral, or it is not yours to see.',
            409: '`no-story`: the last name of the patient picks no story. `GET /api/simulator/stories` lists those that do.',
            413: 'The body is larger than a megabyte.',
            415: 'The body is not sent as application/json.',
          }),
        },
      },
    },
    async (request) => {
      const target = { id: request.params.id, by: request.body.by, ipAddress: request.ip };
      return await moveOn(deps, requireCaller(request), target);
    },
  );
}
