import { Type, elements, missing } from '../bson/raw.ts';
import { toText } from '../bson/value.ts';
import { CommandError, badValue } from '../protocol/errors.ts';
import { parseFilterValue } from '../filter/filter.ts';
import { openQuery } from '../query/query.ts';
import { type Rows, emptyRows, nextRow } from '../query/rows.ts';
import { findCollection } from '../storage/catalog.ts';
import { aggregate, planAggregate } from './aggregate.ts';
import { countCommand } from './count.ts';
import { find, planFind } from './find.ts';
import { type CommandHandler, type Request, assertKnownFields, countField, entryFields } from './request.ts';

interface Explained {
  rows: Rows;
  plan: Record<string, unknown>;
}

type Explain = (request: Request, name: string) => Explained;

function explainFilter(request: Request, name: string, field: string): Explained {
  const { fields, operation } = request;
  const collection = findCollection(request.state.catalog, request.database, name);
  if (!collection) return { rows: emptyRows(), plan: { stage: 'EOF' } };
  const limit = countField(fields, 'limit') || undefined;
  const filter = parseFilterValue(fields.get(field) ?? missing);
  const query = openQuery({
    collection,
    filter,
    sort: [],
    skip: countField(fields, 'skip') ?? 0,
    limit,
    hint: fields.get('hint'),
    operation,
  });
  return { rows: query.rows, plan: query.explain() };
}

/** The search of a write, without the write. */
function explainWrite(list: string): Explain {
  return (request, name) => {
    const entries = request.fields.get(list);
    const [first] = entries?.type === Type.array ? elements(entries.buf, entries.start) : [];
    if (!first) throw badValue(`explain needs one entry in '${list}'`);
    const known = ['q', 'u', 'multi', 'upsert', 'arrayFilters', 'hint', 'limit'];
    const fields = entryFields(first.value.buf.subarray(first.value.start, first.value.end), list, known);
    return explainFilter({ ...request, fields: new Map([...fields].filter(([key]) => key !== 'limit')) }, name, 'q');
  };
}

const explainers: Record<string, { command: CommandHandler; explain: Explain }> = {
  find: {
    command: find,
    explain(request, name) {
      const { rows, explain: describe } = planFind(request, name);
      return { rows, plan: describe() };
    },
  },
  aggregate: {
    command: { ...aggregate, fields: [...aggregate.fields, 'explain'] },
    explain(request, name) {
      const { rows, explain: describe } = planAggregate(request, name);
      return { rows, plan: describe() };
    },
  },
  count: { command: countCommand, explain: (request, name) => explainFilter(request, name, 'query') },
  update: { command: { ...countCommand, fields: ['updates', 'ordered'] }, explain: explainWrite('updates') },
  delete: { command: { ...countCommand, fields: ['deletes', 'ordered'] }, explain: explainWrite('deletes') },
};

/** Runs a search for its figures only. */
async function explainRequest(request: Request, verbosity: string): Promise<Record<string, unknown>> {
  const explainer = explainers[request.name];
  if (!explainer) throw new CommandError(59, `Explain failed due to unknown command: ${request.name}`);
  assertKnownFields(request, explainer.command);
  const name = toText(request.fields.get(request.name) ?? missing) ?? '';
  const started = performance.now();
  const { rows, plan } = explainer.explain(request, name);
  const queryPlanner = { namespace: `${request.database}.${name}`, winningPlan: plan, rejectedPlans: [] };
  if (verbosity === 'queryPlanner') return { explainVersion: '1', queryPlanner };
  let nReturned = 0;
  while (await nextRow(rows, request.operation)) nReturned += 1;
  const { keysExamined, docsExamined } = request.operation;
  const executionStats = {
    executionSuccess: true,
    nReturned,
    executionTimeMillis: Math.round(performance.now() - started),
    totalKeysExamined: keysExamined,
    totalDocsExamined: docsExamined,
    executionStages: { ...plan, nReturned, keysExamined, docsExamined },
  };
  return { explainVersion: '1', queryPlanner, executionStats };
}

export const explain: CommandHandler = {
  fields: ['verbosity'],
  async run(request) {
    const inner = request.fields.get('explain');
    if (inner?.type !== Type.object) throw badValue('explain needs the command to explain');
    const found = elements(inner.buf, inner.start);
    const fields = new Map(found.map((element) => [element.name, element.value]));
    const verbosity = request.fields.get('verbosity');
    const level = (verbosity && toText(verbosity)) ?? 'allPlansExecution';
    return explainRequest({ ...request, name: found[0]?.name ?? '', fields }, level);
  },
};
