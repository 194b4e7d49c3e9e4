import { Type } from 'typebox';
import {
  badBody,
  momentSchema,
  noOtherFields,
  noToken,
  orNull,
  listQuery as pageQuery,
  withToken,
} from '../../platform/http/index.ts';
import { exampleService } from '../hsds/examples.ts';
import { maxListNameLength } from './lists.ts';
import type { SavedService, ServiceList } from './saved-lists-store.ts';

const exampleList = {
  id: '019f8a3c-5d2e-7b41-9c60-2f4e8d1a7b35',
  name: 'Older people who live alone',
  services: 4,
  created_at: '2026-11-02T10:15:00.000Z',
  updated_at: '2026-11-20T16:40:00.000Z',
};

export const serviceListSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    services: Type.Integer({ description: 'How many services it has.' }),
    created_at: momentSchema('When it was created.'),
    updated_at: momentSchema('When it was renamed last, or a service saved or taken off.'),
  },
  { $id: 'ServiceList', examples: [exampleList] },
);

export const savedServiceSchema = Type.Object(
  {
    service_id: Type.String({ description: 'Read it at /api/library/services/{id}.' }),
    name: Type.String(),
    organization_name: orNull(Type.String()),
    status: Type.String({ description: 'As the service’s entry has it: active, or why it is not.' }),
    saved_at: momentSchema('When it was saved.'),
    saved_by: orNull(Type.String(), 'Who saved it, by name.'),
  },
  {
    $id: 'SavedService',
    examples: [
      {
        service_id: exampleService.id,
        name: exampleService.name,
        organization_name: 'The Weir House Trust',
        status: 'active',
        saved_at: '2026-11-20T16:40:00.000Z',
        saved_by: 'Rashid Referrer',
      },
    ],
  },
);

export const listNameSchema = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: maxListNameLength,
      description:
        'What the list is for. It is seen by everyone in the organisation: leave out people’s names.',
    }),
  },
  { title: 'ServiceListName', additionalProperties: false, examples: [{ name: exampleList.name }] },
);

export function presentList({ createdAt, updatedAt, ...list }: ServiceList) {
  return { ...list, created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() };
}

export function presentSavedService(saved: SavedService) {
  return {
    service_id: saved.serviceId,
    name: saved.name,
    organization_name: saved.organizationName,
    status: saved.status,
    saved_at: saved.savedAt.toISOString(),
    saved_by: saved.savedBy,
  };
}

const access = withToken();
export const readConfig = { access, scope: 'library:read' };
export const writeConfig = { access, scope: 'library:write' };
export const tags = ['Saved lists'];

export const params = Type.Object({
  id: Type.String({
    parameter: 'ServiceListId',
    maxLength: 100,
    description: 'The id of a list of your organisation.',
  }),
});
export const entryParams = Type.Object({
  ...params.properties,
  service_id: Type.String({
    parameter: 'SavedServiceId',
    maxLength: 200,
    description: 'The id of a service.',
    examples: [exampleService.id],
  }),
});

export const listQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({
        parameter: 'ListLimit',
        minimum: 1,
        maximum: 100,
        default: 50,
        description: 'The most items to return. The default is 50.',
      }),
    ),
    cursor: pageQuery.cursor,
  },
  noOtherFields,
);

export const commonRefusals = {
  401: noToken,
  403: 'Your account belongs to no organisation, and lists are kept by organisations.',
};
export const listRefusals = { ...commonRefusals, 404: 'Your organisation has no such list.' };
export const bodyRefusals = {
  ...badBody,
  422: 'The name cannot be used.',
};

export const noContent = (description: string) => Type.Null({ description });
