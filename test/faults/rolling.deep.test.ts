import { expect, it } from '@jest/globals';
import { describeChart } from '../chart/describe-chart.ts';
import { render } from '../chart/helm.ts';
import { freshDatabaseUri } from '../support/database.ts';
import { brokenOf, errorsOf, rollOver } from './rolling/rolling.ts';

describeChart('P22: pods as the chart runs them', () => {
  it('are replaced under load, and one is killed: no call fails, and no email is lost or doubled', async () => {
    const version = { objects: render(), built: undefined };
    const report = await rollOver({
      services: ['workspace', 'mailbox-write', 'gateway'],
      mongodbUri: freshDatabaseUri(),
      before: version,
      after: version,
      passes: 1,
      atOnce: 2,
      lastsMs: 0,
      callsPerSecond: 20,
      emailsPerSecond: 5,
      delay: '1s',
      lateCallsMs: 300,
    });
    const broken = brokenOf(report);
    const errors = report.failed > 0 ? errorsOf(report) : [];
    expect({ ...broken, reasons: report.reasons, errors }).toEqual({ reasons: [], errors: [] });
    expect(report).toMatchObject({ replaced: 6, calls: expect.any(Number) });
    expect(Math.min(report.calls, report.emails)).toBeGreaterThan(10);
  });
});
