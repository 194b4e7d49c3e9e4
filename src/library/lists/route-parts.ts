import { Type } from 'typebox';
import { withToken } from '../../platform/http/index.ts';
import { exampleService } from '../examples.ts';

export const config = { access: withToken() };
export const tags = ['Saved lists'];

export const params = Type.Object({
  id: Type.String({ maxLength: 100, description: 'The id of a list of your organisation.' }),
});
export const entryParams = Type.Object({
  ...params.properties,
  service_id: Type.String({
    maxLength: 200,
    description: 'The id of a service.',
    examples: [exampleService.id],
  }),
});

export const pageQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        default: 50,
        description: 'At most so many; 50 when left out.',
      }),
    ),
    cursor: Type.Optional(
      Type.String({ maxLength: 100, description: 'The next_cursor of the last answer.' }),
    ),
  },
  { additionalProperties: false },
);

export const always = {
  401: 'No token was sent, or it is not valid.',
  403: 'Your account belongs to no organisation, and lists are kept by organisations.',
};
export const ofOne = { ...always, 404: 'Your organisation has no such list.' };
export const withBody = {
  400: 'The body does not have the right form.',
  413: 'The body is larger than a megabyte.',
  415: 'The body is not sent as application/json.',
  422: 'The name cannot be used.',
};

export const gone = (description: string) => Type.Null({ description });
