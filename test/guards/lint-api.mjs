// Redocly's strictest set of rules over the API description on stdin: prints what it finds, one finding a line.
import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';

const config = await createConfig({
  extends: ['recommended-strict'],
  rules: { 'operation-description': 'error', 'operation-operationId-unique': 'error', 'no-unused-components': 'error' },
});
const problems = await lintFromString({ source: readFileSync(0, 'utf8'), absoluteRef: 'openapi.json', config });
for (const { ruleId, message, location } of problems)
  console.log(`${ruleId} at ${location[0]?.pointer}: ${message.replaceAll(/\s+/g, ' ')}`);
