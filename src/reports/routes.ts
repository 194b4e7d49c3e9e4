import { Type } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import { lowerFirst } from '../platform/first-letter.ts';
import {
  type App,
  noOtherFields,
  noToken,
  openEnum,
  problemAnswers,
  withToken,
} from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { notFound, Problem } from '../platform/problem/index.ts';
import { figures, units } from './model/figures.ts';
import { readPeriod } from './model/periods.ts';
import { publishAndSummarise, scopeOf } from './publish/summarise.ts';

const number = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });
const day = (description: string) => Type.String({ format: 'date', description });

const figureSchema = Type.Object(
  {
    id: openEnum(Object.keys(figures), {
      title: 'ReportFigureId',
      description: `Which figure: ${Object.entries(figures)
        .map(([id, { title }]) => `\`${id}\` ${lowerFirst(title)}`)
        .join(', ')}. The guide for operators says what each counts.`,
    }),
    stratum: Type.String({
      description:
        '`all`; or which part of the figure or group of people it is: `percentile:90`, `reason:no-capacity`, `side:service`, `says:person`, `within:5`, `field:risk`, `measure:swemwbs`, `active:services`, `closed-without-contact`, `referred-again:30`, `waiting:28`; `age:18-24`, `gender:female`, `interpreter:true`, `imd:1` (the most deprived fifth) to `imd:5`, `ethnicity:white`, `need:food-insecurity`, `district:HR1`, `service:` with an id. Of `E1` it is the figure that is compared. `service:sensitive` is all sensitive services together, which are in no other figure of the site.',
    }),
    n: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The denominator, to the nearest 5. Null for 1 to 7.',
    }),
    value: number(
      'Null where it is not known yet, rests on fewer than 8, or would reveal a count of 1 to 7. Counts are to the nearest 5, and shares are made from rounded counts.',
    ),
    low: number('The lower end of the 95 % interval. Null where there is none.'),
    high: number('Its upper end.'),
    unit: openEnum([...units], {
      title: 'ReportUnit',
      description:
        'A `share` is from 0 to 1, `days` may have a fraction, a `change` is in points of its measure, a `rate` is for each 1,000 people registered, and a `ratio` is one number divided by another.',
    }),
  },
  { title: 'ReportFigure' },
);

const summarySchema = Type.Object(
  {
    period: Type.Object(
      {
        from: day('The first day.'),
        to: day('The last day.'),
        ripe: Type.Boolean({
          description:
            'Whether 90 % of the journeys that began in the period have ended, or all are 90 days old. Until then F4 and F5 are null. A journey is a referral and those that replaced it.',
        }),
      },
      { title: 'ReportPeriod', description: 'Days in London, both included.' },
    ),
    figures: Type.Array(figureSchema, {
      description:
        'Groups of people come with whole calendar months that are ripe. Such months stay as they were first published.',
    }),
  },
  {
    title: 'ReportSummary',
    examples: [
      {
        period: { from: '2026-06-01', to: '2026-06-30', ripe: true },
        figures: [
          { id: 'A1', stratum: 'all', n: 120, value: 120, low: null, high: null, unit: 'count' },
          { id: 'T1', stratum: 'all', n: 120, value: 2.5, low: null, high: null, unit: 'days' },
          { id: 'T2', stratum: 'all', n: 115, value: 0.869565, low: 0.795785, high: 0.919426, unit: 'share' },
          {
            id: 'F2',
            stratum: 'reason:out-of-area',
            n: 15,
            value: null,
            low: null,
            high: null,
            unit: 'share',
          },
        ],
      },
    ],
  },
);

const querystring = Type.Object(
  {
    from: Type.String({
      parameter: 'ReportFrom',
      format: 'date',
      description: 'The first day, in London.',
      examples: ['2026-06-01'],
    }),
    to: Type.String({
      parameter: 'ReportTo',
      format: 'date',
      description: 'The last day, included.',
      examples: ['2026-06-30'],
    }),
  },
  noOtherFields,
);

const refusals = {
  400: 'A date is missing or not one, `from` is after `to`, or a parameter is not known.',
  401: noToken,
  403: 'Your role has no reports, the key lacks the scope, or your organisation is not in the library.',
};

export function reportRoutes(app: App, deps: WebPlatform): void {
  app.get(
    '/api/reports/summary',
    {
      config: { access: withToken('operator', 'manager', 'provider'), scope: 'reports:read' },
      schema: {
        operationId: 'getReportSummary',
        tags: ['Reports'],
        summary: 'Read the figures of a period',
        description:
          'Counts, times and shares of the referrals that were sent in a period, with their status as of today. Operators and managers get the whole site, providers the referrals to their own organisation. Drafts, referrals sent by mistake and, on a live site, simulated ones are not counted. No figure reveals a count of 1 to 7.',
        querystring,
        response: {
          200: summarySchema,
          ...problemAnswers(refusals),
        },
      },
    },
    async (request) => {
      const period = readPeriod(request.query.from, request.query.to);
      return await publishAndSummarise(deps, scopeOf(requireCaller(request)), period);
    },
  );

  app.get(
    '/api/reports/:id',
    {
      config: { access: withToken('operator', 'manager', 'provider'), scope: 'reports:read' },
      schema: {
        operationId: 'getReportFigure',
        tags: ['Reports'],
        summary: 'Read one figure of a period',
        description:
          'One of the figures of `GET /api/reports/summary`, with all its strata. The same rules hold for who reads what, and for small counts.',
        params: Type.Object({
          id: Type.String({
            maxLength: 10,
            description: 'The id of a figure, such as `F1`.',
            examples: ['F1'],
          }),
        }),
        querystring,
        response: {
          200: summarySchema,
          ...problemAnswers({
            ...refusals,
            404: 'There is no figure with this id.',
          }),
        },
      },
    },
    async (request) => {
      const { id } = request.params;
      if (!Object.hasOwn(figures, id)) throw new Problem(notFound);
      const requestedPeriod = readPeriod(request.query.from, request.query.to);
      const { period, figures: all } = await publishAndSummarise(
        deps,
        scopeOf(requireCaller(request)),
        requestedPeriod,
      );
      return { period, figures: all.filter((figure) => figure.id === id) };
    },
  );
}
