import { DomainName, EndpointType, type IRestApi, type Stage } from "aws-cdk-lib/aws-apigateway";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import { CfnRecordSet } from "aws-cdk-lib/aws-route53";
import { CfnOutput, Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { transportSecurity } from "./rest-api.ts";

/** Properties of a custom domain; without a hosted zone, the record is created elsewhere. */
export type CustomDomainProps = {
  api: IRestApi;
  stage: Stage;
  domainName: string;
  certificateArn: string;
  hostedZoneId: string | undefined;
};

/** A custom domain that maps its root to the API's stage, with an alias record in Route 53. */
export class CustomDomain extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { api, stage, domainName, certificateArn, hostedZoneId }: CustomDomainProps,
  ) {
    super(scope, id);
    const domain = new DomainName(this, "Name", {
      domainName,
      certificate: Certificate.fromCertificateArn(this, "Certificate", certificateArn),
      endpointType: EndpointType.REGIONAL,
      ...transportSecurity,
    });
    domain.addBasePathMapping(api, { stage });
    const target = {
      dnsName: domain.domainNameAliasDomainName,
      hostedZoneId: domain.domainNameAliasHostedZoneId,
    };
    if (hostedZoneId !== undefined) {
      new CfnRecordSet(this, "Record", {
        hostedZoneId,
        name: domainName,
        type: "A",
        aliasTarget: target,
      });
    }
    new CfnOutput(Stack.of(this), "DomainTarget", { value: target.dnsName });
  }
}
