import type { Framework } from '../../contract/compliance.ts';

/**
 * SOC 2: the Trust Services Criteria (AICPA, TSP section 100) for which records of this service can be evidence, paraphrased.
 */
export const soc2: Framework = {
  id: 'soc2',
  name: 'SOC 2',
  label: 'SOC 2 (Trust Services Criteria)',
  reviewedOn: '2026-11-21',
  reviewedBy: "Reviewed by Spanwise's engineering, not by a licensed auditor.",
  controls: [
    { controlId: 'CC1.3', title: 'Reporting lines, authority and responsibility are defined' },
    { controlId: 'CC2.1', title: 'Relevant, reliable information supports internal control' },
    { controlId: 'CC3.2', title: 'Risks to objectives are identified and analysed' },
    { controlId: 'CC3.4', title: 'Changes that could affect internal control are identified and assessed' },
    { controlId: 'CC4.1', title: 'Controls are evaluated continuously or separately' },
    { controlId: 'CC4.2', title: 'Deficiencies are communicated in time to those who act on them' },
    { controlId: 'CC5.2', title: 'General controls over technology are selected and developed' },
    { controlId: 'CC5.3', title: 'Controls are deployed through policies and procedures' },
    { controlId: 'CC6.1', title: 'Logical access to protected information is restricted' },
    { controlId: 'CC6.2', title: 'Users are registered and authorised before they get credentials, and lose them in time' },
    { controlId: 'CC6.3', title: 'Access follows roles, least privilege and separation of duties' },
    { controlId: 'CC6.6', title: 'Threats from outside the system boundary are guarded against' },
    { controlId: 'CC6.7', title: 'Transmission and removal of information are restricted to authorised parties' },
    { controlId: 'CC7.1', title: 'Changes of configuration and new vulnerabilities are detected' },
    { controlId: 'CC7.2', title: 'System components are monitored for anomalies' },
    { controlId: 'CC7.3', title: 'Security events are evaluated and acted upon' },
    { controlId: 'CC7.4', title: 'Incidents are responded to by a defined procedure' },
    { controlId: 'CC7.5', title: 'Recovery from incidents is planned and carried out' },
    { controlId: 'CC8.1', title: 'Changes are authorised, tested, approved and recorded' },
    { controlId: 'CC9.2', title: 'Risks of vendors and business partners are assessed and managed' },
    { controlId: 'A1.1', title: 'Capacity and use are monitored to meet demand' },
    { controlId: 'A1.2', title: 'Recovery infrastructure and backups are operated and monitored' },
    { controlId: 'C1.1', title: 'Confidential information is identified and kept as long as it is needed' },
    { controlId: 'C1.2', title: 'Confidential information is disposed of when its time is over' },
    { controlId: 'PI1.2', title: 'Inputs are complete, accurate and in time' },
    { controlId: 'PI1.3', title: 'Processing is complete, accurate, in time and authorised' },
    { controlId: 'PI1.4', title: 'Outputs are complete, accurate and given to authorised parties' },
  ],
};
