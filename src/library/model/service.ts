import { type Static, Type } from 'typebox';
import {
  attributes,
  contacts,
  costOption,
  funding,
  identifier,
  languages,
  metadata,
  name,
  number,
  optionalId,
  organization,
  phones,
  program,
  requiredDocument,
  schedules,
  serviceArea,
  serviceAtLocation,
  text,
} from './parts.ts';

/** The single values of a service. Lists show these and the organisation's. */
export const serviceScalars = {
  id: identifier,
  organization_id: optionalId,
  program_id: optionalId,
  name,
  alternate_name: text,
  description: text,
  url: text,
  email: text,
  status: Type.Enum(['active', 'inactive', 'defunct', 'temporarily closed'], { title: 'ServiceStatus' }),
  interpretation_services: text,
  application_process: text,
  fees_description: text,
  wait_time: text,
  fees: text,
  accreditations: text,
  eligibility_description: text,
  minimum_age: number,
  maximum_age: number,
  assured_date: text,
  assurer_email: text,
  licenses: text,
  alert: text,
  last_modified: text,
};

/** A service in full, as in HSDS 3.0. */
export const serviceSchema = Type.Object({
  ...serviceScalars,
  phones,
  schedules,
  service_areas: Type.Optional(Type.Array(serviceArea)),
  service_at_locations: Type.Optional(Type.Array(serviceAtLocation)),
  languages,
  organization: Type.Optional(organization),
  funding,
  cost_options: Type.Optional(Type.Array(costOption)),
  program: Type.Optional(program),
  required_documents: Type.Optional(Type.Array(requiredDocument)),
  contacts,
  attributes,
  metadata,
});

export type Service = Static<typeof serviceSchema>;
export type Schedule = NonNullable<Service['schedules']>[number];
export type Phone = NonNullable<Service['phones']>[number];
export type ServiceAtLocation = NonNullable<Service['service_at_locations']>[number];

export function isVirtual({ location }: ServiceAtLocation): boolean {
  return location?.location_type === 'virtual';
}

/** The highest age of a person that a service can name and a search can ask for. */
export const maxAge = 150;
