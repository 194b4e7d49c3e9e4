import { Type } from 'typebox';
import { closed, patientSchema } from './new-referral-schema.ts';

const { nhs_number, family_name, birth_date, address } = patientSchema.properties;

/** By what a person is looked for. */
export const searchFields = {
  nhs_number,
  family_name: Type.Optional(family_name),
  birth_date: Type.Optional(birth_date),
  postcode: Type.Optional(address.properties.postcode),
};
export const patientSearchSchema = Type.Object(searchFields, closed);
