import { type Model, mongo } from 'mongoose';

interface WriteFailure {
  index?: number;
  code?: number;
  /** The fields of these two in other versions of the driver. */
  err?: { index?: number; code?: number };
}

interface BulkFailure {
  name?: string;
  code?: number;
  writeErrors?: WriteFailure | WriteFailure[];
}

export interface InsertOutcome<T> {
  /** A unique key kept them out. */
  duplicates: T[];
  /** They are the fault themselves, and would be at every attempt. */
  refused: T[];
}

type Target<T> = Pick<Model<T>, 'collection' | 'castObject'>;

const DUPLICATE_KEY = 11000;
/** A document that no server of this kind takes: too large, not valid, a key too long. */
const OF_THE_DOCUMENT = new Set([2, 22, 121, 10334, 17280, 17419, 17420]);
/** The driver's own refusals, before anything is sent. */
const OF_THE_DRIVER = /^(MongoInvalidArgumentError|BSON\w*Error|RangeError|TypeError)$/;

/**
 * Inserts in one round trip, and says which documents were there already and which cannot be stored at all: one that is
 * at fault keeps no other out. Anything else is thrown. Goes past mongoose's casting, which would cost as much as the
 * database does: the documents are made by code whose types say the same. `castObject` is here for its type, which
 * names those documents.
 */
export async function insertAll<T extends object>(
  model: Target<T>,
  documents: readonly T[],
  largest = Infinity,
): Promise<InsertOutcome<T>> {
  const tooLarge = documents.filter((document) => mongo.BSON.calculateObjectSize(document) > largest);
  const fitting = tooLarge.length === 0 ? documents : documents.filter((document) => !tooLarge.includes(document));
  const { duplicates, refused } = await insertFitting(model, fitting);
  return { duplicates, refused: [...tooLarge, ...refused] };
}

/** The same for documents of our own making: one that cannot be stored is a fault of ours, and thrown. */
export async function insertNew<T extends object>(model: Target<T>, documents: readonly T[]): Promise<void> {
  const { refused } = await insertAll(model, documents);
  if (refused.length > 0) throw new Error(`${refused.length} documents are more than a database takes`);
}

async function insertFitting<T extends object>(model: Target<T>, documents: readonly T[]): Promise<InsertOutcome<T>> {
  if (documents.length === 0) return { duplicates: [], refused: [] };
  try {
    await model.collection.insertMany(documents as never[], { ordered: false });
    return { duplicates: [], refused: [] };
  } catch (error) {
    const failures = [(error as BulkFailure).writeErrors ?? []].flat();
    if (failures.length > 0) return sorted(error, documents, failures);
    if (!isOfADocument(error as BulkFailure)) throw error;
    return documents.length === 1 ? { duplicates: [], refused: [...documents] } : insertHalves(model, documents);
  }
}

/** The error does not name the document, so it is searched. A document that was stored meanwhile counts as its own duplicate. */
async function insertHalves<T extends object>(model: Target<T>, documents: readonly T[]): Promise<InsertOutcome<T>> {
  const middle = Math.ceil(documents.length / 2);
  const first = await insertFitting(model, documents.slice(0, middle));
  const second = await insertFitting(model, documents.slice(middle));
  return {
    duplicates: [...first.duplicates, ...second.duplicates],
    refused: [...first.refused, ...second.refused],
  };
}

function sorted<T>(error: unknown, documents: readonly T[], failures: readonly WriteFailure[]): InsertOutcome<T> {
  const outcome: InsertOutcome<T> = { duplicates: [], refused: [] };
  for (const failure of failures) {
    const code = failure.code ?? failure.err?.code ?? 0;
    const document = documents[failure.index ?? failure.err?.index ?? -1] as T;
    if (code === DUPLICATE_KEY) outcome.duplicates.push(document);
    else if (OF_THE_DOCUMENT.has(code)) outcome.refused.push(document);
    else throw error;
  }
  return outcome;
}

function isOfADocument({ name = '', code = 0 }: BulkFailure): boolean {
  return OF_THE_DOCUMENT.has(code) || OF_THE_DRIVER.test(name);
}
