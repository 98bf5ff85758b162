import { pipe, record as recordOf, string, transform, unknown, type GenericSchema, type InferOutput, type RecordSchema, type StringSchema } from 'valibot';

// The words in which answers of the server are described: those of the library that the dashboard uses, and a few of its own.
export { array, boolean, exactOptional as optional, fallback, literal, nullable, number, object, picklist, safeParse, string, tuple, undefined, union, unknown } from 'valibot';

/** What a value must be to be of a type. Members of objects that no schema names are left out. */
export type Schema<T = unknown> = GenericSchema<unknown, T>;

/** The type of what a schema accepts. */
export type Of<S extends Schema> = InferOutput<S>;

/** An object whose members all have values of one kind. */
export function record<S extends Schema>(value: S): RecordSchema<StringSchema<undefined>, S, undefined> {
  return recordOf(string(), value);
}

/** What apps send and people made up, as text: what is none is written as JSON. */
export const text = pipe(
  unknown(),
  transform((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
);
