/** The codes of MongoDB that this server answers with, and their names. */
const names = {
  1: 'InternalError',
  2: 'BadValue',
  9: 'FailedToParse',
  11: 'UserNotFound',
  14: 'TypeMismatch',
  17: 'ProtocolError',
  20: 'IllegalOperation',
  26: 'NamespaceNotFound',
  27: 'IndexNotFound',
  28: 'PathNotViable',
  40: 'ConflictingUpdateOperators',
  43: 'CursorNotFound',
  48: 'NamespaceExists',
  50: 'MaxTimeMSExpired',
  52: 'DollarPrefixedFieldName',
  54: 'NotSingleValueField',
  59: 'CommandNotFound',
  66: 'ImmutableField',
  67: 'CannotCreateIndex',
  72: 'InvalidOptions',
  73: 'InvalidNamespace',
  85: 'IndexOptionsConflict',
  86: 'IndexKeySpecsConflict',
  100: 'UnsatisfiableWriteConcern',
  115: 'CommandNotSupported',
  137: 'NonExistentPath',
  168: 'InvalidPipelineOperator',
  171: 'CannotIndexParallelArrays',
  225: 'TransactionTooOld',
  238: 'NotImplemented',
  263: 'OperationNotSupportedInTransaction',
  279: 'ClientDisconnect',
  292: 'QueryExceededMemoryLimitNoDiskUseAllowed',
  10334: 'BSONObjectTooLarge',
  11000: 'DuplicateKey',
  11600: 'InterruptedAtShutdown',
  11601: 'Interrupted',
  17280: 'KeyTooLong',
} as const;

export class CommandError extends Error {
  readonly code: number;
  readonly codeName: string;
  /** Fields the answer carries besides code and text, such as `keyPattern` of a duplicate. */
  readonly extra: Record<string, unknown>;

  constructor(code: number, message: string, extra: Record<string, unknown> = {}) {
    super(message);
    this.code = code;
    this.codeName = (names as Record<number, string>)[code] ?? `Location${code}`;
    this.extra = extra;
  }
}

export const badValue = (message: string): CommandError => new CommandError(2, message);
export const failedToParse = (message: string): CommandError => new CommandError(9, message);
export const typeMismatch = (message: string): CommandError => new CommandError(14, message);

/** Unsupported features are refused by name, so that no caller trusts a result that ignored half of the query. */
export const notSupported = (what: string): CommandError =>
  new CommandError(238, `${what} is not supported by this server`);
